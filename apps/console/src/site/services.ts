/** What services say for one page, which shows the rest while one of them cannot be reached. */
import { type Gatehouse, GatehouseError } from '@gatehouse/client';
import { type Html, markup } from '@gatehouse/pages';
import { siteTexts } from '../texts/site.texts.js';
import { can, type ConsoleVisit } from './pages.js';

const SCOPES = { keys: 'keys:read', directories: 'dsync:read', forms: 'forms:read' } as const;
export type Service = keyof typeof SCOPES;

export class Services {
  private readonly unreachable = new Set<Service>();

  constructor(private readonly visit: ConsoleVisit) {}

  /** None of a service that the person may not read, or that cannot be reached. */
  async rowsOf<Row>(
    service: Service,
    read: (gatehouse: Gatehouse) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    if (!can(this.visit, SCOPES[service])) return [];
    try {
      return await read(this.visit.gatehouse);
    } catch (error) {
      const isUnreachable = error instanceof GatehouseError && error.status >= 500;
      if (!isUnreachable) throw error;
      this.unreachable.add(service);
      return [];
    }
  }

  /** A notice for each service that could not be reached. */
  get missing(): Html[] {
    const texts = siteTexts(this.visit.frame.language);
    return [...this.unreachable].map(
      (service) => markup`<p class="done" role="status">${texts.unavailable(texts[service])}</p>`,
    );
  }
}
