import { type RunOptions } from './types.js';

export interface SideSettings {
  /** Requests or calls in flight. */
  connections: number;
  /** Units in one request or call. */
  perRequest: number;
  options: RunOptions;
  profile: boolean;
  label: string;
}
