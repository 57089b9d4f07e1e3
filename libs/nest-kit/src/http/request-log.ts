import { type Logger } from 'pino';
import { type ClientAddresses } from '@gatehouse/kit/clients';
import { type RequestObserver } from './request-steps.js';

/**
 * Logs one line per request, with its caller and the address of its client. The fields need no
 * redaction, which would cost more than the line.
 *
 * @param addresses of clients; without it, of the other end of the connection
 */
export function requestLog(logger: Logger, addresses?: ClientAddresses): RequestObserver {
  if (!logger.isLevelEnabled('info')) return () => undefined;
  const plain = logger.child({}, { redact: [] });
  return (summary, raw) => {
    const ip = addresses ? addresses.peerOf({ raw }) : raw.socket.remoteAddress;
    const durationMs = Math.round(summary.durationMs * 1000) / 1000;
    plain.info({ ...summary, ip, durationMs }, 'request');
  };
}
