/** The floor's API: writes an event and says so, by one statement and one PUBLISH. */
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { serveFloor } from '../bare-fastify.js';

const TABLES = `
  CREATE TABLE lanes (id serial PRIMARY KEY, url text NOT NULL, secret text NOT NULL,
    cursor bigint NOT NULL DEFAULT 0);
  CREATE TABLE events (id bigserial PRIMARY KEY, lane_id integer NOT NULL, data json NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now());
  CREATE INDEX ON events (lane_id, id);
  CREATE TABLE attempts (id bigserial PRIMARY KEY, event_id bigint NOT NULL, status integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now())`;

// The ids of a lane must be committed in their order, or its cursor would pass one.
const LOG = `INSERT INTO events (lane_id, data)
  SELECT $1::integer, $2 FROM (SELECT pg_advisory_xact_lock($1::integer)) AS turn`;

const pool = new Pool({ connectionString: process.env['DATABASE_URL'] });
const redis = new Redis(process.env['REDIS_URL'] ?? '');
const tables = pool.query(TABLES);

await serveFloor(
  (app) => {
    app.post<{ Body: { url: string } }>('/lanes', async ({ body: { url } }) => {
      const text = 'INSERT INTO lanes (url, secret) VALUES ($1, $2) RETURNING id';
      const values = [url, randomBytes(24).toString('hex')];
      return (await pool.query<{ id: number }>(text, values)).rows[0];
    });
    app.post<{ Params: { id: string } }>('/lanes/:id/events', async (request, reply) => {
      const { id } = request.params;
      await pool.query({ name: 'log', text: LOG, values: [id, request.body] });
      void redis.publish(process.env['CHANNEL'] ?? '', id);
      return reply.code(201).send({ id });
    });
  },
  { ready: () => tables, close: () => Promise.all([pool.end(), redis.quit()]) },
);
