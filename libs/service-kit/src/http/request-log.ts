import { type Logger } from 'pino';
import { type RequestStep } from './request-steps.js';

/** Logs one line per request. The fields need no redaction, which would cost more than the line. */
export function requestLog(logger: Logger): RequestStep {
  if (!logger.isLevelEnabled('info')) return {};
  const plain = logger.child({}, { redact: [] });
  return {
    onResponse(summary) {
      const durationMs = Math.round(summary.durationMs * 1000) / 1000;
      plain.info({ ...summary, durationMs }, 'request');
    },
  };
}
