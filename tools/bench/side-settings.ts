import { type RunOptions } from './types.js';

export interface SideSettings {
  /** Requests or calls in flight. */
  connections: number;
  /** Units in one request. */
  perRequest: number;
  options: RunOptions;
  profile: boolean;
  label: string;
}
