import { readEnvironment, readTraceId, TelemetryEnvironment } from '#lib/config.ts';
import { runningVersion } from '#lib/telemetry/running-version.ts';

/** Levels in ascending order; those below the configured one are dropped. */
const levels = ['INFO', 'WARN', 'ERROR', 'SILENT'] as const;

type LogLevel = (typeof levels)[number];

type Attributes = Readonly<Record<string, unknown>>;

const settings = readEnvironment(TelemetryEnvironment);

class Logger {
  #least: number;

  constructor(level: LogLevel) {
    this.#least = levels.indexOf(level);
  }

  setLogLevel(level: LogLevel): void {
    this.#least = levels.indexOf(level);
  }

  info(message: string, attributes: Attributes): void {
    this.#write('INFO', process.stdout, message, attributes);
  }

  warn(message: string, attributes: Attributes): void {
    this.#write('WARN', process.stderr, message, attributes);
  }

  error(message: string, attributes: Attributes): void {
    this.#write('ERROR', process.stderr, message, attributes);
  }

  /** Bypasses the console, because Lambda's console would wrap the line in another one. */
  #write(level: LogLevel, stream: NodeJS.WriteStream, message: string, attributes: Attributes) {
    if (levels.indexOf(level) < this.#least) return;
    const line = {
      level,
      message,
      timestamp: new Date().toISOString(),
      service: settings.SERVICE_NAME,
      version: runningVersion,
      sampling_rate: 0,
      xray_trace_id: readTraceId(),
      ...attributes,
    };
    stream.write(`${writeJson(line)}\n`);
  }
}

/**
 * Writes lines of JSON in the format of Powertools for AWS Lambda, whose packages took an eighth of
 * a bundle (docs/decisions/0007). Log names, numbers and causes, but never headers or bodies: they
 * hold tokens, commands and secrets.
 */
export const logger = new Logger(settings.LOG_LEVEL);

/** Never throws: attributes that cannot be written must not hide the failure they belong to. */
function writeJson(line: Attributes): string {
  try {
    return JSON.stringify(line, describeErrors);
  } catch (error) {
    return JSON.stringify({ level: line.level, message: line.message, unwritable: String(error) });
  }
}

function describeErrors(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Error ? describeError(value) : value;
}

/** Copies the fields of an error that JSON.stringify leaves out. */
function describeError(error: Error) {
  const { name, message, stack, cause } = error;
  return { ...error, name, location: findLocation(stack), message, stack, cause };
}

/** Returns the first place in a file that the stack names. */
function findLocation(stack = ''): string {
  const [, file = '', line = ''] = /\(([^()]*?):(\d+):\d+\)$/m.exec(stack) ?? [];
  return file === '' ? '' : `${file}:${line}`;
}
