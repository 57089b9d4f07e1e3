// Receives webhooks: verifies and stores the events, answers, then processes them in order.
//   WEBHOOK_SECRET=whsec_… PORT=3000 node examples/webhook-receiver.mjs
// docs/webhooks.md explains each step. In production, use a database table instead of the file, with
// the id of the event as its primary key: then several processes can share it.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { appendFileSync, fsyncSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const BODY_BYTES_MAX = 64 * 1024 * 1024;
const { WEBHOOK_SECRET: secret = '', INBOX_FILE = 'inbox.jsonl', PORT = '0' } = process.env;
const [, encoded] = /^whsec_(.+)/.exec(secret) ?? [];
const key = encoded ? Buffer.from(encoded, 'base64') : Buffer.from(secret);
if (key.length === 0) throw new Error('WEBHOOK_SECRET is missing');

const inbox = openSync(INBOX_FILE, 'a+');
const seen = new Set(); // the ids of all events
const waiting = new Map(); // the events to process
for (const line of readFileSync(inbox, 'utf8').split('\n').filter(Boolean)) note(JSON.parse(line));
processWaiting();

const server = createServer(async (request, response) => {
  const status = await receive(request).catch((error) => (console.error(error), 500));
  response.writeHead(status).end(processWaiting);
});
server.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`listening on ${server.address().port}`),
);
process.once('SIGTERM', () => server.close());

async function receive(request) {
  if (!(Number(request.headers['content-length']) <= BODY_BYTES_MAX)) return 413;
  const body = Buffer.concat(await request.toArray());
  if (!isSigned(request.headers, body)) return 401;
  const events = [JSON.parse(body)].flat(); // one event or a batch
  const fresh = events.filter(({ event, id }) => event !== 'webhook.ping' && !seen.has(id));
  if (fresh.length > 0) store(...fresh.map((event) => ({ event })));
  return 204;
}

function isSigned({ 'webhook-id': id, 'webhook-timestamp': time, ...headers }, body) {
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= 300)) return false;
  const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64');
  const signatures = (headers['webhook-signature'] ?? '')
    .split(' ')
    .map((each) => Buffer.from(each));
  const own = Buffer.from(`v1,${expected}`);
  return signatures.some((each) => each.length === own.length && timingSafeEqual(each, own));
}

function processWaiting() {
  for (const [id, event] of waiting) {
    console.log(event.sequence, event.event, event.data.email ?? event.data.name); // your work
    store({ done: id });
  }
}

function store(...lines) {
  appendFileSync(inbox, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  fsyncSync(inbox);
  lines.forEach(note);
}

function note({ event, done = event.id }) {
  seen.add(done);
  if (event) waiting.set(event.id, event);
  else waiting.delete(done);
}
