import { type AddressInfo, type Server } from 'node:net';

/** Starts a server on a port of the loopback interface that the system chooses. @returns the port */
export async function listenOnLoopback(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
