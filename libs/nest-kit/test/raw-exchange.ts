// For specs: a client that writes bytes and reads bytes, with no HTTP library to smooth things over.
import { connect, type Socket } from 'node:net';

export interface Exchange {
  received: string;
  /** The error that ended the connection, such as EPIPE; undefined for an orderly end. */
  errorCode: string | undefined;
}

/**
 * Sends a request as it is and resolves to everything that came back once the server closes, or
 * once `isEnough` says so.
 *
 * @param send writes the request; what it does not write is never sent
 */
export function exchange(
  port: number,
  send: (socket: Socket) => void,
  isEnough: (received: string) => boolean = () => false,
): Promise<Exchange> {
  return new Promise((resolve) => {
    let received = '';
    let errorCode: string | undefined;
    const socket = connect(port, '127.0.0.1', () => send(socket));
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      if (isEnough(received)) socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => (errorCode = error.code));
    socket.on('close', () => resolve({ received, errorCode }));
  });
}

/** The statuses of all answers in what was received. */
export function statusesIn(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
