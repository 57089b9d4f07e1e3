import { type Page, WorkspaceError, type WorkspaceSession } from '../src/index.js';

/** All items of a listing, and the number of its pages. */
export const all = async <Item>(list: (page: string | null) => Promise<Page<Item>>) => {
  const items: Item[] = [];
  let pages = 0;
  for (let next: string | null = null, isFirst = true; isFirst || next !== null; isFirst = false) {
    const page: Page<Item> = await list(next);
    items.push(...page.items);
    next = page.next;
    pages += 1;
  }
  return { items, pages };
};

/** The error of a listing that fails. */
export const faultOf = async (session: WorkspaceSession) => {
  const error: unknown = await session.listUsers(null).catch((thrown: unknown) => thrown);
  if (!(error instanceof WorkspaceError)) throw error;
  return error;
};
