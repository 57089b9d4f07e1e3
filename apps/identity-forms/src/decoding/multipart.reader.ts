/**
 * Reads the fields of a multipart/form-data body (RFC 7578) in order, within limits. Files are
 * refused; an empty file control counts as a blank field. Faults that the parser ignores are errors
 * here: parts that are not fields, broken header lines, bytes that are not UTF-8, an empty body.
 */
import { type MultipartFile, type MultipartValue } from '@fastify/multipart';
import {
  checkEntries,
  type FormEntry,
  type FormLimits,
  unescapeMultipartName,
} from '@gatehouse/form-decoder';
import { DomainError } from '@gatehouse/kit/errors';
import { type FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';
import { FormsErrors } from '../errors.js';
import { bodyTooLarge } from '../http/body-limit.js';
import { reading } from '../http/form-errors.js';

const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i;

/** A field name and a colon (RFC 9110 section 5.1), or the rest of a folded line. */
const HEADER_LINE = /^(?:[!#$%&'*+.^_`|~\w-]+[ \t]*:|[ \t])/;

/** Parser errors for limits that we detect ourselves. */
const SEEN_BY_US = new Set(['FST_FIELDS_LIMIT', 'FST_PARTS_LIMIT']);
/** The parser drops fields whose name is a member of Object.prototype. */
const IGNORED_NAME = 'FST_PROTO_VIOLATION';

export async function readMultipart(
  request: FastifyRequest,
  limits: FormLimits,
  bodyBytesMax: number,
): Promise<FormEntry[]> {
  const boundary = boundaryOf(request.headers['content-type'] ?? '');
  if (Number(request.headers['content-length'] ?? 0) > bodyBytesMax) {
    throw bodyTooLarge(bodyBytesMax);
  }
  const body = new BodyWatch(request, boundary, bodyBytesMax);
  const entries: FormEntry[] = [];
  let partsDelivered = 0;
  try {
    for await (const part of request.parts()) {
      partsDelivered += 1;
      entries.push(await entryOf(part, limits));
      if (entries.length > limits.fieldsMax) break;
    }
  } catch (error) {
    if (body.isTooLarge) throw bodyTooLarge(bodyBytesMax);
    if (error instanceof DomainError) throw error;
    const code = (error as { code?: string }).code ?? '';
    if (code === IGNORED_NAME) partsDelivered = body.parts;
    else if (!SEEN_BY_US.has(code)) {
      throw broken('The multipart body is malformed or incomplete.', error);
    }
  } finally {
    body.close();
  }
  if (body.isTooLarge) throw bodyTooLarge(bodyBytesMax);
  reading(() => checkEntries(entries, limits));
  if (body.parts > partsDelivered) {
    throw broken('A part of the multipart body has no field name.');
  }
  if (body.isEmpty) throw broken('The multipart body is empty.');
  const line = body.brokenHeader();
  if (line !== undefined) {
    throw broken(`A part of the multipart body has a header line without a name: "${line}".`);
  }
  if (!body.isUtf8) {
    throw new DomainError(FormsErrors.ENCODING);
  }
  return entries;
}

async function entryOf(
  part: MultipartFile | MultipartValue,
  limits: FormLimits,
): Promise<FormEntry> {
  if (typeof part.fieldname !== 'string') {
    throw broken('A part of the multipart body has no field name.');
  }
  const name = unescapeMultipartName(part.fieldname);
  if (part.type === 'file') {
    const bytes = await part.toBuffer();
    if (!part.filename && bytes.length === 0 && !part.file.truncated) return [name, ''];
    throw filePart(name);
  }
  const value = typeof part.value === 'string' ? part.value : JSON.stringify(part.value);
  // The parser cuts values and names at limit + 1 bytes, so an excess is one byte over.
  const entry: FormEntry = [name, value];
  if (part.fieldnameTruncated || part.valueTruncated) reading(() => checkEntries([entry], limits));
  return entry;
}

/** Passes the bytes through while it counts them and their parts and checks the UTF-8. */
class BodyWatch {
  isTooLarge = false;
  parts = 0;
  private bytes = 0;
  private readonly chunks: Buffer[] = [];
  private tail = Buffer.from('\r\n');
  private readonly delimiter: Buffer;
  private readonly onData = (chunk: Buffer): void => this.take(chunk);

  constructor(
    private readonly request: FastifyRequest,
    boundary: string,
    private readonly bytesMax: number,
  ) {
    this.delimiter = Buffer.from(`\r\n--${boundary}`);
    request.raw.on('data', this.onData);
  }

  get isEmpty(): boolean {
    return this.bytes === 0;
  }

  get isUtf8(): boolean {
    return isUtf8(Buffer.concat(this.chunks));
  }

  /** The beginning of the first header line of a part that has no name before a colon. */
  brokenHeader(): string | undefined {
    const body = Buffer.concat([Buffer.from('\r\n'), ...this.chunks]).toString();
    const [, ...parts] = body.split(this.delimiter.toString());
    for (const part of parts) {
      if (part.startsWith('--')) return undefined;
      const [, ...lines] = part.split('\r\n\r\n', 1).join().split('\r\n');
      const found = lines.find((line) => !HEADER_LINE.test(line));
      if (found !== undefined) return found.slice(0, 40);
    }
    return undefined;
  }

  close(): void {
    this.request.raw.off('data', this.onData);
    this.request.raw.resume();
  }

  private take(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > this.bytesMax) {
      this.isTooLarge = true;
      this.request.raw.unpipe();
      this.request.raw.emit('error', new Error('too large'));
      return;
    }
    this.chunks.push(chunk);
    this.countParts(chunk);
  }

  /** A part begins after each delimiter except the closing one, which `--` follows. */
  private countParts(chunk: Buffer): void {
    const text = Buffer.concat([this.tail, chunk]);
    const { length } = this.delimiter;
    let position = 0;
    for (;;) {
      const found = text.indexOf(this.delimiter, position);
      if (found === -1 || found + length + 2 > text.length) break;
      position = found + length;
      if (text.toString('latin1', position, position + 2) !== '--') this.parts += 1;
    }
    this.tail = text.subarray(Math.max(position, text.length - length - 1));
  }
}

function boundaryOf(contentType: string): string {
  const match = BOUNDARY.exec(contentType);
  if (!match) throw broken('The Content-Type of the multipart body names no boundary.');
  return (match[1] ?? match[2]) as string;
}

function broken(message: string, cause?: unknown): DomainError {
  return new DomainError(FormsErrors.MULTIPART, { message, cause });
}

function filePart(name: string): DomainError {
  const description = 'is a file; this form takes none';
  return new DomainError(FormsErrors.FILE_PART, {
    message: `The field "${name}" ${description}.`,
    violations: [{ field: name, description }],
  });
}
