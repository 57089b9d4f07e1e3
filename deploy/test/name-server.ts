/** A DNS server that answers each question with one address, which a test may change. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface NameServer {
  port: number;
  answerWith(address: string): void;
  close(): void;
}

const HEADER_BYTES = 12;
const TYPE_A = 1;

export async function startNameServer(first: string): Promise<NameServer> {
  let address = first;
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address: asker }) => {
    socket.send(answerTo(question, address), port, asker);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    answerWith: (next) => (address = next),
    close: () => socket.close(),
  };
}

/** RFC 1035: the header, the question, and one A record that lives a second. */
function answerTo(question: Buffer, address: string): Buffer {
  const nameEnd = question.indexOf(0, HEADER_BYTES) + 1;
  const asked = question.subarray(HEADER_BYTES, nameEnd + 4);
  const isKnown = question.readUInt16BE(nameEnd) === TYPE_A;
  const header = Buffer.alloc(HEADER_BYTES);
  question.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(isKnown ? 1 : 0, 6);
  // The name (a pointer to the question), type A, class IN, the time to live, four bytes.
  const record = Buffer.from([0xc0, HEADER_BYTES, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4]);
  const bytes = Buffer.from(address.split('.').map(Number));
  return Buffer.concat([header, asked, ...(isKnown ? [record, bytes] : [])]);
}
