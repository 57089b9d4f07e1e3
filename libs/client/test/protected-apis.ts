/** The same API in each framework, protected by the entry for it. */
import { protect as protectExpress } from '@gatehouse/client/express';
import {
  type Caller,
  protect as protectFastify,
  type ProtectOptions,
} from '@gatehouse/client/fastify';
import { protect as protectFetch } from '@gatehouse/client/fetch';
import { protect as protectHono } from '@gatehouse/client/hono';
import { protect as protectNest } from '@gatehouse/client/nest';
import { listenOnLoopback } from '@gatehouse/testing';
import { Controller, Get, Module, Req, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import express from 'express';
import Fastify from 'fastify';
import { type Context, Hono } from 'hono';
import { createServer } from 'node:http';

/** Paths with the demands of each. Every route answers with its caller. */
export type Routes = Readonly<Record<string, ProtectOptions>>;

export interface ProtectedApi {
  /** The client's address is that of `x-forwarded-for`. */
  ask(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Where the API listens, if it does. */
  readonly port?: number;
  close(): Promise<unknown>;
}

export const FRAMEWORKS = {
  Fastify: async (routes: Routes): Promise<ProtectedApi> => {
    const app = Fastify({ trustProxy: true, forceCloseConnections: true });
    for (const [path, options] of Object.entries(routes)) {
      app.get(path, { onRequest: protectFastify(options) }, (request) => request.caller);
    }
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    return listening(Number(new URL(address).port), () => app.close());
  },

  Express: async (routes: Routes): Promise<ProtectedApi> => {
    const app = express().set('trust proxy', true);
    for (const [path, options] of Object.entries(routes)) {
      app.get(path, protectExpress(options), (request, response) => {
        response.json(request.caller);
      });
    }
    const server = createServer(app);
    const port = await listenOnLoopback(server);
    return listening(port, () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
  },

  Nest: async (routes: Routes): Promise<ProtectedApi> => {
    @Module({ controllers: Object.entries(routes).map((route) => controllerOf(...route)) })
    class Api {}
    const adapter = new FastifyAdapter({ trustProxy: true });
    const options = { logger: false, forceCloseConnections: true } as const;
    const app = await NestFactory.create<NestFastifyApplication>(Api, adapter, options);
    await app.listen(0, '127.0.0.1');
    return listening(Number(new URL(await app.getUrl()).port), () => app.close());
  },

  Hono: (routes: Routes): Promise<ProtectedApi> => {
    const app = new Hono();
    const clientAddress = (context: Context) => context.req.header('x-forwarded-for');
    for (const [path, options] of Object.entries(routes)) {
      const guard = protectHono({ ...options, clientAddress });
      app.get(path, guard, (context) => context.json(context.get('caller')));
    }
    return Promise.resolve(inProcess((request) => app.fetch(request)));
  },

  fetch: (routes: Routes): Promise<ProtectedApi> => {
    const clientAddress = ({ headers }: Request) => headers.get('x-forwarded-for') ?? undefined;
    const handlers = Object.entries(routes).map(([path, options]) => ({
      path,
      handle: protectFetch({ ...options, clientAddress }, (_request, caller) =>
        Response.json(caller),
      ),
    }));
    return Promise.resolve(
      inProcess((request) => {
        const found = handlers.find(({ path }) => path === new URL(request.url).pathname);
        return found?.handle(request) ?? new Response(null, { status: 404 });
      }),
    );
  },
};

function controllerOf(path: string, options: ProtectOptions) {
  @Controller(path)
  class Route {
    @Get()
    @UseGuards(protectNest(options))
    answer(@Req() request: { caller: Caller }) {
      return request.caller;
    }
  }
  return Route;
}

function listening(port: number, close: () => Promise<unknown>): ProtectedApi {
  const ask: ProtectedApi['ask'] = (path, headers) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close', ...headers } });
  return { ask, port, close };
}

function inProcess(handle: (request: Request) => Response | Promise<Response>): ProtectedApi {
  return {
    ask: async (path, headers) => handle(new Request(`http://api.test${path}`, { headers })),
    close: () => Promise.resolve(),
  };
}
