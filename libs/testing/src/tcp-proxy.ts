import { connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { refuseToPassPooler } from './test-database.js';

export interface TcpProxy {
  /** The target's URL with the address of the proxy. */
  url: string;
  /** Closes every connection and accepts no new one. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Stops forwarding on open connections without closing them, to simulate a failed router. */
  silence(): void;
  /** Sends a text on every open connection, between whatever the target sends. */
  inject(text: string): void;
  /** Changes each piece that the target sends from now on; undefined: passes it on. No connection is closed. */
  alter(change: ((piece: Buffer) => Buffer) | undefined): void;
  /** Sends a text to whatever connects from now on, in place of the target; empty: leads to it again. */
  impersonate(text: string): void;
  /** Answers each command of RESP from now on, in place of the target; undefined: leads to it again. */
  answerWith(reply: string | undefined): void;
  /** How many commands it has answered in place of the target. */
  answered(): number;
  /** How many connections it has accepted. */
  accepted(): number;
  close(): Promise<void>;
}

const USUAL_PORTS: Readonly<Record<string, number>> = { 'postgres:': 5432, 'redis:': 6379 };

/** A proxy that a test can cut and restore, to simulate network faults. */
export async function tcpProxy(targetUrl: string): Promise<TcpProxy> {
  refuseToPassPooler({ targetUrl });
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  const targetPort = Number(target.port) || USUAL_PORTS[target.protocol];
  let server: Server | undefined;
  let port = 0;
  let greeting = '';
  let accepted = 0;
  let reply: string | undefined;
  let answered = 0;
  let change: ((piece: Buffer) => Buffer) | undefined;

  const impersonated = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.resume().write(greeting);
  };
  const answering = (socket: Socket, answer: string) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      const commands = chunk.toString('latin1').split(/\*\d+\r\n\$/).length - 1;
      for (let index = 0; index < commands; index += 1) socket.write(answer);
      answered += commands;
    });
  };
  const mend = async () => {
    server = createServer((socket) => {
      accepted += 1;
      if (reply !== undefined) return answering(socket, reply);
      if (greeting !== '') return impersonated(socket);
      clients.add(socket);
      const beyond = connect(targetPort ?? 0, target.hostname);
      for (const end of [socket, beyond]) {
        sockets.add(end);
        end.on('close', () => sockets.delete(end));
        end.on('error', () => end.destroy());
      }
      socket.on('close', () => clients.delete(socket));
      socket.on('close', () => beyond.destroy());
      beyond.on('close', () => socket.destroy());
      const altered = new Transform({
        transform: (piece: Buffer, _, done) => done(null, change ? change(piece) : piece),
      });
      socket.pipe(beyond).pipe(altered).pipe(socket);
    });
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
    port = (server.address() as { port: number }).port;
  };
  const cut = async () => {
    const closed = new Promise((resolve) => server?.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };

  const silence = () => {
    for (const socket of sockets) socket.unpipe().resume();
  };

  const inject = (text: string) => {
    for (const socket of clients) socket.write(text);
  };
  const impersonate = (text: string) => {
    greeting = text;
  };

  const answerWith = (answer: string | undefined) => {
    reply = answer;
  };

  const alter: TcpProxy['alter'] = (how) => {
    change = how;
  };

  await mend();
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    cut,
    mend,
    silence,
    inject,
    alter,
    impersonate,
    answerWith,
    answered: () => answered,
    accepted: () => accepted,
    close: () => cut().catch(() => undefined),
  };
}
