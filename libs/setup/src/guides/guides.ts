import { type Guide, GUIDE_IDS, type GuideId, type ScimGuide } from './guide.types.js';
import { ENTRA } from './providers/entra.js';
import { ENTRA_GRAPH } from './providers/entra-graph.js';
import { GOOGLE } from './providers/google.js';
import { JUMPCLOUD } from './providers/jumpcloud.js';
import { OKTA } from './providers/okta.js';
import { ONELOGIN } from './providers/onelogin.js';
import { OTHER } from './providers/other.js';
import { PING } from './providers/ping.js';
import { RIPPLING } from './providers/rippling.js';

const BY_ID = {
  okta: OKTA,
  entra: ENTRA,
  onelogin: ONELOGIN,
  jumpcloud: JUMPCLOUD,
  ping: PING,
  rippling: RIPPLING,
  google: GOOGLE,
  'entra-graph': ENTRA_GRAPH,
  other: OTHER,
} as const satisfies Readonly<Record<GuideId, Guide>>;

export const GUIDES: readonly Guide[] = GUIDE_IDS.map((id) => BY_ID[id]);

/** Guides of providers that send requests. */
export const SCIM_GUIDES: readonly ScimGuide[] = GUIDES.filter((guide) => guide.kind === 'scim');

export function guideOf<Id extends GuideId>(id: Id): (typeof BY_ID)[Id] {
  return BY_ID[id];
}
