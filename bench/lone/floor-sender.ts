/** The floor's sender: on a message, reads the events of a lane, posts each and records the attempts. */
import { type WebhookKeys, webhookKeys } from '@gatehouse/crypto';
import { webhookHeaders } from '@gatehouse/delivery';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { Agent, request } from 'undici';
import { serveFloor } from '../bare-fastify.js';

interface LaneRow {
  url: string;
  secret: string;
  cursor: string;
}

interface Lane extends Omit<LaneRow, 'secret'> {
  key: WebhookKeys;
  /** Whether a message came after the events were read. */
  isDue: boolean;
  isRunning: boolean;
}

const NEXT = `SELECT id, data, created_at FROM events WHERE lane_id = $1 AND id > $2
  ORDER BY id LIMIT 100`;
const RECORD = `WITH moved AS (UPDATE lanes SET cursor = $2 WHERE id = $1)
  INSERT INTO attempts (event_id, status) SELECT * FROM unnest($3::bigint[], $4::integer[])`;

const pool = new Pool({ connectionString: process.env['DATABASE_URL'] });
const redis = new Redis(process.env['REDIS_URL'] ?? '');
const dispatcher = new Agent();
const lanes = new Map<string, Lane>();

redis.on('message', (_channel, id: string) => void wake(id));
await redis.subscribe(process.env['CHANNEL'] ?? '');
await serveFloor(() => {}, { close: () => Promise.all([pool.end(), redis.quit()]) });

async function wake(id: string): Promise<void> {
  const lane = lanes.get(id) ?? (await readLane(id));
  lane.isDue = true;
  if (lane.isRunning) return;
  lane.isRunning = true;
  while (lane.isDue) {
    lane.isDue = false;
    await turn(id, lane);
  }
  lane.isRunning = false;
}

async function readLane(id: string): Promise<Lane> {
  const text = 'SELECT url, secret, cursor FROM lanes WHERE id = $1';
  const { rows } = await pool.query<LaneRow>(text, [id]);
  const { url, secret, cursor } = rows[0]!;
  const read = { url, key: webhookKeys(secret), cursor, isDue: false, isRunning: false };
  const lane = lanes.get(id) ?? read;
  lanes.set(id, lane);
  return lane;
}

async function turn(id: string, lane: Lane): Promise<void> {
  const next = { name: 'next', text: NEXT, values: [id, lane.cursor] };
  const { rows } = await pool.query<{ id: string }>(next);
  const statuses: number[] = [];
  for (const event of rows) {
    const body = JSON.stringify(event);
    const headers = webhookHeaders(event.id, body, [lane.key]);
    const answer = await request(lane.url, { method: 'POST', headers, body, dispatcher });
    await answer.body.dump();
    statuses.push(answer.statusCode);
  }
  const ids = rows.map((event) => event.id);
  lane.cursor = ids.at(-1) ?? lane.cursor;
  if (ids.length === 0) return;
  await pool.query({ name: 'record', text: RECORD, values: [id, lane.cursor, ids, statuses] });
}
