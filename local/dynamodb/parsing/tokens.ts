import { invalid, type ServiceError } from '../values/errors.ts';
import type { ExpressionName, Path } from './syntax.ts';

const token = /\s*([#:][A-Za-z0-9_]+|[A-Za-z_][A-Za-z0-9_]*|\d+|<>|<=|>=|[=<>(),.[\]+-])/y;

/** Splits an expression into tokens. */
export class Tokens {
  readonly expression: ExpressionName;
  /** Placeholders found so far. */
  readonly names = new Set<string>();
  readonly values = new Set<string>();
  readonly #tokens: readonly string[];
  #next = 0;

  constructor(expression: ExpressionName, text: string) {
    this.expression = expression;
    this.#tokens = this.#split(text);
    if (this.#tokens.length === 0) {
      throw invalid(`Invalid ${expression}: The expression can not be empty;`);
    }
  }

  get isAtEnd(): boolean {
    return this.#next === this.#tokens.length;
  }

  peek(ahead = 0): string {
    return this.#tokens[this.#next + ahead] ?? '';
  }

  take(): string {
    const next = this.peek();
    this.#next += 1;
    return next;
  }

  /** Consumes the next token if it matches, ignoring its case. */
  takeIf(expected: string): boolean {
    const isThere = this.peek().toUpperCase() === expected;
    if (isThere) this.#next += 1;
    return isThere;
  }

  expect(expected: string): void {
    if (!this.takeIf(expected)) throw this.refuse();
  }

  /** Consumes a pair of brackets and what the task reads between them. */
  takeInBrackets<T>(task: () => T): T {
    this.expect('(');
    const taken = task();
    this.expect(')');
    return taken;
  }

  /** Consumes what the task reads, once or several times with commas in between. */
  takeList<T>(task: () => T): T[] {
    const taken = [task()];
    while (this.takeIf(',')) taken.push(task());
    return taken;
  }

  takeValue(): string {
    const name = this.peek();
    if (!name.startsWith(':')) throw this.refuse();
    this.values.add(name);
    return this.take();
  }

  takePath(): Path {
    const path: (string | number)[] = [this.#takeName()];
    for (;;) {
      if (this.takeIf('.')) {
        path.push(this.#takeName());
      } else if (this.takeIf('[')) {
        if (!/^\d+$/.test(this.peek())) throw this.refuse();
        path.push(Number(this.take()));
        this.expect(']');
      } else {
        return path;
      }
    }
  }

  refuse(): ServiceError {
    const shown = this.isAtEnd ? '<EOF>' : this.peek();
    const near = this.#tokens.slice(Math.max(this.#next - 1, 0), this.#next + 2).join(' ');
    return this.refuseFor(`Syntax error; token: "${shown}", near: "${near}"`);
  }

  refuseFor(reason: string): ServiceError {
    return invalid(`Invalid ${this.expression}: ${reason}`);
  }

  #takeName(): string {
    const name = this.peek();
    if (name.startsWith('#')) this.names.add(name);
    else if (!/^[A-Za-z_]/.test(name)) throw this.refuse();
    else if (reservedWords.has(name.toUpperCase())) {
      throw this.refuseFor(`Attribute name is a reserved keyword; reserved keyword: ${name}`);
    }
    return this.take();
  }

  #split(text: string): string[] {
    const found: string[] = [];
    token.lastIndex = 0;
    while (/\S/.test(text.slice(token.lastIndex))) {
      const from = token.lastIndex;
      const [, each] = token.exec(text) ?? [];
      if (each === undefined) {
        const [wrong = ''] = /\S/.exec(text.slice(from)) ?? [];
        throw this.refuseFor(
          `Syntax error; token: "${wrong}", near: "${text.slice(from).trim().slice(0, 20)}"`,
        );
      }
      found.push(each);
    }
    return found;
  }
}

/** Words that DynamoDB refuses as attribute names in expressions. */
const reservedWords: ReadonlySet<string> = new Set(
  `
ABORT ABSOLUTE ACTION ADD AFTER AGENT AGGREGATE ALL ALLOCATE ALTER ANALYZE AND ANY ARCHIVE ARE
ARRAY AS ASC ASCII ASENSITIVE ASSERTION ASYMMETRIC AT ATOMIC ATTACH ATTRIBUTE AUTH AUTHORIZATION
AUTHORIZE AUTO AVG BACK BACKUP BASE BATCH BEFORE BEGIN BETWEEN BIGINT BINARY BIT BLOB BLOCK
BOOLEAN BOTH BREADTH BUCKET BULK BY BYTE CALL CALLED CALLING CAPACITY CASCADE CASCADED CASE CAST
CATALOG CHAR CHARACTER CHECK CLASS CLOB CLOSE CLUSTER CLUSTERED CLUSTERING CLUSTERS COALESCE
COLLATE COLLATION COLLECTION COLUMN COLUMNS COMBINE COMMENT COMMIT COMPACT COMPILE COMPRESS
CONDITION CONFLICT CONNECT CONNECTION CONSISTENCY CONSISTENT CONSTRAINT CONSTRAINTS CONSTRUCTOR
CONSUMED CONTINUE CONVERT COPY CORRESPONDING COUNT COUNTER CREATE CROSS CUBE CURRENT CURSOR CYCLE
DATA DATABASE DATE DATETIME DAY DEALLOCATE DEC DECIMAL DECLARE DEFAULT DEFERRABLE DEFERRED DEFINE
DEFINED DEFINITION DELETE DELIMITED DEPTH DEREF DESC DESCRIBE DESCRIPTOR DETACH DETERMINISTIC
DIAGNOSTICS DIRECTORIES DISABLE DISCONNECT DISTINCT DISTRIBUTE DO DOMAIN DOUBLE DROP DUMP DURATION
DYNAMIC EACH ELEMENT ELSE ELSEIF EMPTY ENABLE END EQUAL EQUALS ERROR ESCAPE ESCAPED EVAL EVALUATE
EXCEEDED EXCEPT EXCEPTION EXCEPTIONS EXCLUSIVE EXEC EXECUTE EXISTS EXIT EXPLAIN EXPLODE EXPORT
EXPRESSION EXTENDED EXTERNAL EXTRACT FAIL FALSE FAMILY FETCH FIELDS FILE FILTER FILTERING FINAL
FINISH FIRST FIXED FLATTERN FLOAT FOR FORCE FOREIGN FORMAT FORWARD FOUND FREE FROM FULL FUNCTION
FUNCTIONS GENERAL GENERATE GET GLOB GLOBAL GO GOTO GRANT GREATER GROUP GROUPING HANDLER HASH HAVE
HAVING HEAP HIDDEN HOLD HOUR IDENTIFIED IDENTITY IF IGNORE IMMEDIATE IMPORT IN INCLUDING INCLUSIVE
INCREMENT INCREMENTAL INDEX INDEXED INDEXES INDICATOR INFINITE INITIALLY INLINE INNER INNTER INOUT
INPUT INSENSITIVE INSERT INSTEAD INT INTEGER INTERSECT INTERVAL INTO INVALIDATE IS ISOLATION ITEM
ITEMS ITERATE JOIN KEY KEYS LAG LANGUAGE LARGE LAST LATERAL LEAD LEADING LEAVE LEFT LENGTH LESS
LEVEL LIKE LIMIT LIMITED LINES LIST LOAD LOCAL LOCALTIME LOCALTIMESTAMP LOCATION LOCATOR LOCK
LOCKS LOG LOGED LONG LOOP LOWER MAP MATCH MATERIALIZED MAX MAXLEN MEMBER MERGE METHOD METRICS MIN
MINUS MINUTE MISSING MOD MODE MODIFIES MODIFY MODULE MONTH MULTI MULTISET NAME NAMES NATIONAL
NATURAL NCHAR NCLOB NEW NEXT NO NONE NOT NULL NULLIF NUMBER NUMERIC OBJECT OF OFFLINE OFFSET OLD
ON ONLINE ONLY OPAQUE OPEN OPERATOR OPTION OR ORDER ORDINALITY OTHER OTHERS OUT OUTER OUTPUT OVER
OVERLAPS OVERRIDE OWNER PAD PARALLEL PARAMETER PARAMETERS PARTIAL PARTITION PARTITIONED PARTITIONS
PATH PERCENT PERCENTILE PERMISSION PERMISSIONS PIPE PIPELINED PLAN POOL POSITION PRECISION PREPARE
PRESERVE PRIMARY PRIOR PRIVATE PRIVILEGES PROCEDURE PROCESSED PROJECT PROJECTION PROPERTY
PROVISIONING PUBLIC PUT QUERY QUIT QUORUM RAISE RANDOM RANGE RANK RAW READ READS REAL REBUILD
RECORD RECURSIVE REDUCE REF REFERENCE REFERENCES REFERENCING REGEXP REGION REINDEX RELATIVE
RELEASE REMAINDER RENAME REPEAT REPLACE REQUEST RESET RESIGNAL RESOURCE RESPONSE RESTORE RESTRICT
RESULT RETURN RETURNING RETURNS REVERSE REVOKE RIGHT ROLE ROLES ROLLBACK ROLLUP ROUTINE ROW ROWS
RULE RULES SAMPLE SATISFIES SAVE SAVEPOINT SCAN SCHEMA SCOPE SCROLL SEARCH SECOND SECTION SEGMENT
SEGMENTS SELECT SELF SEMI SENSITIVE SEPARATE SEQUENCE SERIALIZABLE SESSION SET SETS SHARD SHARE
SHARED SHORT SHOW SIGNAL SIMILAR SIZE SKEWED SMALLINT SNAPSHOT SOME SOURCE SPACE SPACES SPARSE
SPECIFIC SPECIFICTYPE SPLIT SQL SQLCODE SQLERROR SQLEXCEPTION SQLSTATE SQLWARNING START STATE
STATIC STATUS STORAGE STORE STORED STREAM STRING STRUCT STYLE SUB SUBMULTISET SUBPARTITION
SUBSTRING SUBTYPE SUM SUPER SYMMETRIC SYNONYM SYSTEM TABLE TABLESAMPLE TEMP TEMPORARY TERMINATED
TEXT THAN THEN THROUGHPUT TIME TIMESTAMP TIMEZONE TINYINT TO TOKEN TOTAL TOUCH TRAILING
TRANSACTION TRANSFORM TRANSLATE TRANSLATION TREAT TRIGGER TRIM TRUE TRUNCATE TTL TUPLE TYPE UNDER
UNDO UNION UNIQUE UNIT UNKNOWN UNLOGGED UNNEST UNPROCESSED UNSIGNED UNTIL UPDATE UPPER URL USAGE
USE USER USERS USING UUID VACUUM VALUE VALUED VALUES VARCHAR VARIABLE VARIANCE VARINT VARYING VIEW
VIEWS VIRTUAL VOID WAIT WHEN WHENEVER WHERE WHILE WINDOW WITH WITHIN WITHOUT WORK WRAPPED WRITE
YEAR ZONE
`
    .trim()
    .split(/\s+/),
);
