/** The events of directories, as docs/events.md lists them. */

type Json = Readonly<Record<string, unknown>>;

interface Person {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly active: boolean;
}

export interface DirectoryUser extends Person {
  /** The SCIM resource as the provider last made it. */
  readonly raw: Json;
  readonly roles?: readonly string[];
  /** By the `attribute_mapping` of the directory. */
  readonly custom_attributes?: Json;
}

export interface DirectoryGroup {
  readonly id: string;
  readonly name: string;
  /** The SCIM resource, without its members. */
  readonly raw: Json;
}

/** A user with one of its groups. */
export interface DirectoryMembership extends DirectoryUser {
  readonly group: DirectoryGroup;
}

export interface DirectoryRoles extends Person {
  readonly previous: readonly string[];
  readonly current: readonly string[];
  /** The group through which the user has each new role, or had each former one; null: the default role. */
  readonly because: readonly {
    readonly role: string;
    readonly change: 'added' | 'removed';
    readonly group: { readonly id: string; readonly name: string } | null;
  }[];
}

/** Members that have changed, with their old values. */
type Former<Resource> = Partial<Omit<Resource, 'id'>>;

interface Members {
  'user.created': { readonly data: DirectoryUser };
  'user.updated': { readonly data: DirectoryUser; readonly previous: Former<DirectoryUser> };
  'user.deleted': { readonly data: DirectoryUser };
  'user.roles_changed': { readonly data: DirectoryRoles };
  'group.created': { readonly data: DirectoryGroup };
  'group.updated': { readonly data: DirectoryGroup; readonly previous: Former<DirectoryGroup> };
  'group.deleted': { readonly data: DirectoryGroup };
  'group.user_added': { readonly data: DirectoryMembership };
  'group.user_removed': { readonly data: DirectoryMembership };
}

export type DirectoryEventType = keyof Members;

/** An event of a type, or of any. */
export type DirectoryEvent<Type extends DirectoryEventType = DirectoryEventType> = {
  [Each in Type]: Members[Each] & {
    readonly event: Each;
    readonly tenant: string;
    readonly product: string;
    readonly directory_id: string;
    /** The same in the log and in webhooks. In a snapshot, the id of the user or group. */
    readonly id: string;
    /** Ascending, with gaps. In a snapshot, 0. */
    readonly sequence: number;
    readonly created_at: string;
    /** Set if the event is not from the log, but describes what is there. */
    readonly snapshot?: true;
  };
}[Type];

/** A type, or all that begin alike. */
export type EventPattern = DirectoryEventType | 'user.*' | 'group.*' | '*';

export type EventOf<Pattern extends EventPattern> = DirectoryEvent<
  Pattern extends `${infer Prefix}*`
    ? Extract<DirectoryEventType, `${Prefix}${string}`>
    : Extract<DirectoryEventType, Pattern>
>;
