/** What the rooms of the console are made of: pages that show, and acts that change. */
import { type Gatehouse } from '@gatehouse/client';
import { type ControlScope } from '@gatehouse/schemas';
import { may } from '../sessions/session.js';
import { type Done } from '../texts/site.texts.js';
import { type ConsoleFrame, type Page } from './console-frame.js';

/** A request of a person. */
export interface ConsoleVisit {
  /** The services, with the rights of the person. */
  readonly gatehouse: Gatehouse;
  readonly frame: ConsoleFrame;
  /** The `:names` of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** Where an act leads, and what was done. */
export interface Redirect {
  /** Below the console. */
  readonly path: string;
  readonly done?: Done;
}

export type Answer = Page | Redirect | Download;

/** A JSON document that the browser saves. */
export interface Download {
  readonly fileName: string;
  readonly document: unknown;
}

/** The field that makes each form another one; see `Pages.actOnce`. */
export const NONCE_FIELD = 'nonce';

/** The page on which a person sees whether an act was done. */
export type ResultPath = (visit: ConsoleVisit, form: URLSearchParams) => string;

export type Act = (visit: ConsoleVisit, form: URLSearchParams) => Promise<Page | Redirect>;

/** Registers the pages of a room, by paths below the console. */
export interface Pages {
  show(path: string, page: (visit: ConsoleVisit) => Answer | Promise<Answer>): void;
  /** A page in answer shows how it went, or what is wrong with the form. */
  act(path: string, act: Act): void;
  /**
   * An act whose answer shows what can be shown only once, or that must not be repeated: a form that is sent
   * again, on any replica, does nothing. If the process ends before the act is done, it is not done later.
   */
  actOnce(path: string, resultPath: ResultPath, act: Act): void;
}

/** Whether the services let the person do what needs this scope. */
export function can({ frame }: Pick<ConsoleVisit, 'frame'>, scope: ControlScope): boolean {
  return may(frame.session, scope);
}
