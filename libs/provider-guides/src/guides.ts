import { type Guide, GUIDE_IDS, type GuideId } from './guide.types.js';
import { ENTRA } from './providers/entra.js';
import { ENTRA_GRAPH } from './providers/entra-graph.js';
import { GOOGLE } from './providers/google.js';
import { JUMPCLOUD } from './providers/jumpcloud.js';
import { OKTA } from './providers/okta.js';
import { ONELOGIN } from './providers/onelogin.js';
import { OTHER } from './providers/other.js';
import { PING } from './providers/ping.js';
import { RIPPLING } from './providers/rippling.js';

const BY_ID: Readonly<Record<GuideId, Guide>> = {
  okta: OKTA,
  entra: ENTRA,
  onelogin: ONELOGIN,
  jumpcloud: JUMPCLOUD,
  ping: PING,
  rippling: RIPPLING,
  google: GOOGLE,
  'entra-graph': ENTRA_GRAPH,
  other: OTHER,
};

export const GUIDES: readonly Guide[] = GUIDE_IDS.map((id) => BY_ID[id]);

/** Guides of providers that send requests. */
export const SCIM_GUIDES: readonly Guide[] = GUIDES.filter(({ kind }) => kind === 'scim');

export function guideOf(id: GuideId): Guide {
  return BY_ID[id];
}
