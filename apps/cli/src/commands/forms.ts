import { basename, extname } from 'node:path';
import { GatehouseError } from '@gatehouse/client';
import { type Command } from 'commander';
import { isNotFound } from '../failure.js';
import { readStdin } from '../output/prompt.js';
import { type Session, withSession } from '../session.js';

interface PushOptions {
  readonly id?: string;
  readonly public?: boolean;
}

interface DecodeOptions {
  readonly schemaVersion?: string;
  readonly validate: boolean;
}

export function addForms(program: Command): void {
  const forms = program.command('forms').description('Push schemas, and decode forms');
  const schema = forms.command('schema').description('Schemas of forms');
  schema
    .command('push <file>')
    .description('Make the content of a file, JSON or YAML, the current version of a schema')
    .option('--id <id>', 'of the schema; by default the name of the file')
    .option('--public', 'people may sign up with it')
    .option('--no-public', 'they may not')
    .action(withSession(push));
  for (const parent of [schema, forms]) {
    parent
      .command('decode', { hidden: parent === schema })
      .description('Decode a form by a schema')
      .argument('<schema>', 'id of the schema')
      .argument('[fields...]', 'such as traits.age=36; without them, the form is read from stdin')
      .option('--schema-version <number>', 'of the schema; by default the current one')
      .option('--no-validate', 'show what was decoded even if it is not valid')
      .action(withSession(decode));
  }
}

async function push(
  { gatehouse, output }: Session,
  file: string,
  options: PushOptions,
): Promise<void> {
  const { id = basename(file, extname(file)).replace(/\.schema$/, ''), public: isPublic } = options;
  const { readYaml } = await import('../apply/yaml-file.js');
  const schema = readYaml(file).value as Record<string, unknown>;
  const content = { id, schema, public: isPublic };
  const written = await gatehouse.schemas.put(content).catch((error: unknown) => {
    if (isNotFound(error)) return gatehouse.schemas.register(content);
    throw error;
  });
  for (const { pointer, message } of written.warnings) {
    output.note(`Warning: ${pointer}: ${message}`);
  }
  output.result(written, [
    ['Schema', written.id],
    ['Version', written.version],
    ['Public', String(written.public)],
  ]);
}

async function decode(
  { gatehouse, output }: Session,
  id: string,
  fields: string[],
  { schemaVersion: version, validate }: DecodeOptions,
): Promise<void> {
  const body = new URLSearchParams(
    fields.length > 0 ? fields.map(pairOf) : (await readStdin()).trim(),
  );
  const query = { version: version === undefined ? undefined : Number(version), validate };
  try {
    const { traits, ignored } = await gatehouse.forms.decode({ id, body, ...query });
    output.line(JSON.stringify(output.json ? { traits, ignored } : traits, null, 2));
    if (ignored.length > 0) output.note(`Not in the schema: ${ignored.join(', ')}`);
  } catch (error) {
    for (const { name, message } of faultsOf(error)) output.note(`${name}: ${message}`);
    throw error;
  }
}

function pairOf(field: string): [string, string] {
  const at = field.indexOf('=');
  return at < 0 ? [field, ''] : [field.slice(0, at), field.slice(at + 1)];
}

/** What is wrong with each field. */
function faultsOf(error: unknown): { name: string; message: string }[] {
  if (!(error instanceof GatehouseError)) return [];
  return (error.body as { errors?: { name: string; message: string }[] } | undefined)?.errors ?? [];
}
