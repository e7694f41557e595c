/** A function as the template has it, and where its bundle is. */
export interface DeployedFunction {
  readonly name: string;
  /** Of its bundle: `index.js`, and what lies beside it. */
  readonly directory: string;
  readonly handler: string;
  readonly memory: number;
  readonly seconds: number;
  /** What CloudFormation would fill in is not there yet. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}
