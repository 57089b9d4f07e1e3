/**
 * `fetch` for the client, by node:http: that of Node.js takes longer to load than everything else that a
 * command does.
 */
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';

/** Statuses whose responses have no body. */
const EMPTY = [204, 205, 304];

/** Bodies are texts or forms. Redirects are not followed. */
export const httpFetch: typeof fetch = async (address, { method, headers, body, signal } = {}) => {
  const url = new URL(address);
  const request = url.protocol === 'https:' ? (await import('node:https')).request : httpRequest;
  const isForm = body instanceof URLSearchParams;
  const type = isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  const fields = { ...type, ...(headers as Record<string, string>) };
  const sent = request(url, { method, headers: fields, signal: signal ?? undefined });
  sent.end(isForm ? body.toString() : body);
  try {
    const response = await responseOf(sent);
    const chunks = (await response.toArray()) as Buffer[];
    const { statusCode: status = 0, headers: received } = response;
    return new Response(EMPTY.includes(status) ? null : Buffer.concat(chunks), {
      status,
      headers: Object.entries(received).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]),
    });
  } catch (error) {
    const { message, code = '' } = error as NodeJS.ErrnoException;
    throw signal?.aborted ? signal.reason : new TypeError(message || code, { cause: error });
  }
};

function responseOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => request.once('response', resolve).on('error', reject));
}
