import { readEnvironment, readTraceId, TelemetryEnvironment } from '#lib/config.ts';
import { runningVersion } from '#lib/telemetry/running-version.ts';
import { writeJson } from './write-json.ts';

/** What is less than the level that is set is not written. */
const levels = ['INFO', 'WARN', 'ERROR', 'SILENT'] as const;

export type LogLevel = (typeof levels)[number];

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

  /** Past the console, which Lambda replaces by one that would wrap the line in another. */
  #write(level: LogLevel, stream: NodeJS.WriteStream, message: string, attributes: Attributes) {
    if (levels.indexOf(level) < this.#least) return;
    const line = {
      level,
      message,
      timestamp: new Date().toISOString(),
      service: settings.POWERTOOLS_SERVICE_NAME,
      version: runningVersion,
      sampling_rate: 0,
      xray_trace_id: readTraceId(),
      ...attributes,
    };
    stream.write(`${writeJson(line)}\n`);
  }
}

/**
 * A line of JSON per entry, as Powertools for AWS Lambda writes it, whose logger and metrics were
 * an eighth of a bundle (docs/decisions/0007). Whoever logs passes names, numbers and causes; never
 * headers or bodies, so that no token, command or secret gets here.
 */
export const logger = new Logger(settings.POWERTOOLS_LOG_LEVEL);
