import { type IncomingMessage, type ServerResponse } from 'node:http';

/**
 * Calls back once when a response has ended or its connection is lost, at once if that has happened already. Node.js
 * closes only the first of several responses that a lost connection waited for.
 */
export function onceEnded(
  { socket }: IncomingMessage,
  response: ServerResponse,
  callback: () => void,
): void {
  if (response.closed || socket.destroyed) return callback();
  const end = () => {
    response.off('close', end);
    socket.off('close', end);
    callback();
  };
  response.once('close', end);
  socket.once('close', end);
}
