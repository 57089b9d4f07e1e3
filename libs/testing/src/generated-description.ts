/** Writes the OpenAPI documents that the services serve; nothing but tests loads @nestjs/swagger. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type INestApplication } from '@nestjs/common';
import { type OpenAPIObject } from '@nestjs/swagger';

export interface Description {
  title: string;
  description: string;
  version: string;
  /** Completes what Nest knows of the controllers. */
  extend: (document: OpenAPIObject) => OpenAPIObject;
}

const WIDTH = 110;

/** Generates the API document from the controllers of an app and `extend`. */
export async function generateDescription(
  app: INestApplication,
  { title, description, version, extend }: Description,
): Promise<OpenAPIObject> {
  const { DocumentBuilder, SwaggerModule } = await import('@nestjs/swagger');
  const config = new DocumentBuilder()
    .setTitle(title)
    .setDescription(description)
    .setVersion(version)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    // Relative to the page, so it is the service itself or the gateway in front of it.
    .addServer('/')
    .build();
  return extend(SwaggerModule.createDocument(app, config));
}

/**
 * The committed document, as text. UPDATE_SNAPSHOTS=1 writes it first.
 *
 * @param file path from the repository root
 */
export function committedDescription(file: string, generated: OpenAPIObject): string {
  if (process.env.UPDATE_SNAPSHOTS === '1' || !existsSync(file)) {
    writeFileSync(file, describedAs(generated));
  }
  return readFileSync(file, 'utf8');
}

/** JSON with as many members on one line as fit. */
export function describedAs(value: unknown, indent = ''): string {
  const line = JSON.stringify(value);
  const isLeaf = typeof value !== 'object' || value === null;
  if (isLeaf || indent.length + line.length <= WIDTH) return line;
  const inner = `${indent} `;
  const members = Array.isArray(value)
    ? value.map((member) => `${inner}${describedAs(member, inner)}`)
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${inner}${JSON.stringify(name)}: ${describedAs(member, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const text = `${open}\n${members.join(',\n')}\n${indent}${close}`;
  return indent === '' ? `${text}\n` : text;
}
