/**
 * A position in a file, for one process. It is written after each event, so that a crash repeats at most the
 * event that was being handled.
 */
import { type FileHandle, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Store } from '../directory/store.js';

interface Content {
  readonly name: string;
  readonly position: string;
}

/** @param path of the file, whose folder must exist; a file for each follower */
export function fileStore(path: string): Store<undefined> {
  let isMoving = false;

  const position: Store<undefined>['position'] = async (name) => {
    const content = await read(path);
    if (content === undefined || content.name === name) return content?.position;
    throw new Error(`${path} is the file of follower ${content.name}; ${name} needs another one`);
  };

  return {
    eventsMax: 1,
    position,
    move: async (name, from, work) => {
      if (isMoving) return undefined;
      isMoving = true;
      try {
        if ((await position(name)) !== from) return undefined;
        const next = await work(undefined);
        await replace(path, { name, position: next });
        return next;
      } finally {
        isMoving = false;
      }
    },
  };
}

async function read(path: string): Promise<Content | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Content;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** After a power failure too, the file has the old content or the new one. */
async function replace(path: string, content: Content): Promise<void> {
  await using(await open(`${path}.new`, 'w'), async (file) => {
    await file.writeFile(`${JSON.stringify(content)}\n`);
    await file.sync();
  });
  await rename(`${path}.new`, path);
  // Windows has no folders to sync.
  if (process.platform === 'win32') return;
  await using(await open(dirname(path)), (folder) => folder.sync());
}

async function using(handle: FileHandle, work: (handle: FileHandle) => Promise<void>) {
  try {
    await work(handle);
  } finally {
    await handle.close();
  }
}
