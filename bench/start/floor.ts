/**
 * The least that a service starts: Nest on Fastify, a connection to PostgreSQL and one to Redis.
 * Bundled like the services.
 */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Redis } from 'ioredis';
import { Pool } from 'pg';

@Module({})
class FloorModule {}

void start();

async function start(): Promise<void> {
  const pool = new Pool({ connectionString: process.env['DATABASE_URL'] });
  const redis = new Redis(process.env['REDIS_URL'] ?? '');
  const adapter = new FastifyAdapter();
  const app = await NestFactory.create<NestFastifyApplication>(FloorModule, adapter, {
    logger: false,
  });
  adapter.getInstance().get('/ready', async () => {
    await Promise.all([pool.query('SELECT 1'), redis.ping()]);
    return { status: 'ok' };
  });
  await app.listen(Number(process.env['PORT']), process.env['HOST'] ?? '127.0.0.1');
  process.once('SIGTERM', () => process.exit(0));
}
