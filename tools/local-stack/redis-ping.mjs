// @ts-check
import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';

const TIMEOUT_MS = 5_000;

/**
 * Says PING to a Redis, with the user and password of its address. Without a client library,
 * because there may be none installed yet.
 * @param {string} address redis:// or rediss://
 * @returns {Promise<void>} rejects with Redis's own words when it refuses
 */
export function pingRedis(address) {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || 6379);
  const secure = url.protocol === 'rediss:';
  return new Promise((resolve, reject) => {
    const socket = secure
      ? connectTls({ host, port, servername: host })
      : connectPlain({ host, port });
    const fail = (/** @type {Error} */ error) => {
      socket.destroy();
      reject(error);
    };
    let answer = '';
    socket.setTimeout(TIMEOUT_MS, () => fail(new Error('no answer')));
    socket.once('error', fail);
    socket.once('close', () => reject(new Error('the connection was closed')));
    socket.once(secure ? 'secureConnect' : 'connect', () => socket.write(greeting(url)));
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      const refusal = /^-(.*)\r\n/m.exec(answer)?.[1];
      if (refusal !== undefined) return fail(new Error(refusal));
      if (!answer.includes('+PONG')) return;
      resolve();
      socket.destroy();
    });
  });
}

/**
 * @param {URL} url
 * @returns {string} AUTH where there is a password, then PING, in Redis's wire format
 */
export function greeting(url) {
  const password = decodeURIComponent(url.password);
  const user = decodeURIComponent(url.username);
  const login = password === '' ? [] : [['AUTH', ...(user === '' ? [] : [user]), password]];
  return [...login, ['PING']].map(encode).join('');
}

/** @param {string[]} words */
function encode(words) {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  return `*${words.length}\r\n${parts.join('')}`;
}
