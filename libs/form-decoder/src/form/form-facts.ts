import { escapeSegment, pointerSegment } from '../model/field-names.js';
import { propertiesInOrder } from './field-order.js';
import { conditionsOf, type Condition } from './form-conditions.js';
import { type Language } from '../model/form-decoder.types.js';
import { controlFacts, type ControlFacts } from './form-input.js';
import { labelOf, textOf, textOfMember, titleOfMember } from './labels.js';
import { flatten } from '../schema/location-facts.js';
import { type Location } from '../schema/location.js';
import { type SchemaUnion } from '../schema/schema-node.js';
import { isSecret } from './secrets.js';
import { type Validator } from '../validate/validator.js';

/** A property as a form shows it. */
export interface Member {
  readonly place: Place;
  readonly required: boolean;
  readonly readOnly: boolean;
  /** Its parts of the field's name and of the JSON pointer. */
  readonly nameSegment: string;
  readonly pointerSegment: string;
  /** The label of an untitled list entry, without its number. */
  readonly entryLabel: string;
}

/**
 * Facts about the places of a schema in one language that do not depend on values. Computed on first
 * use and cached; the schema bounds their number.
 */
export class FormFacts {
  private readonly places = new Map<Location, Map<string, Place>>();
  private readonly memberLists = new Map<Location, readonly Member[]>();

  constructor(
    readonly language: Language,
    private readonly validator: Validator,
  ) {}

  /** The declared properties in the order of the page. */
  members(location: Location): readonly Member[] {
    let members = this.memberLists.get(location);
    if (members === undefined) {
      members = this.membersOf(location);
      this.memberLists.set(location, members);
    }
    return members;
  }

  /** A place under a property name, which may imply its purpose. */
  place(location: Location, property: string): Place {
    let named = this.places.get(location);
    if (named === undefined) {
      named = new Map();
      this.places.set(location, named);
    }
    let place = named.get(property);
    if (place === undefined) {
      place = new Place(location, property, this.language);
      named.set(property, place);
    }
    return place;
  }

  /** When a property applies that only branches of a union declare. */
  conditions(location: Location, name: string): ReadonlyMap<string, Condition> {
    return location.unions.length === 0 ? NONE : conditionsOf(location, name, this.validator);
  }

  private membersOf(location: Location): Member[] {
    const members: Member[] = [];
    const { wide } = location;
    for (const property of propertiesInOrder(wide)) {
      const child = wide.property(property);
      if (child === null) continue;
      members.push({
        place: this.place(child.wide, property),
        required: isRequired(location, property),
        readOnly: child.readOnly,
        nameSegment: escapeSegment(property),
        pointerSegment: pointerSegment(property),
        entryLabel: labelOf(child, property, this.language),
      });
    }
    return members;
  }
}

/** Whether an object must have a property, whichever of its alternatives applies. */
function isRequired(location: Location, property: string): boolean {
  const inAll = ({ branches }: SchemaUnion): boolean =>
    branches.every((branch) => flatten([branch]).some((node) => node.required.includes(property)));
  const always = location.main.flatMap((node) => node.unions);
  return location.required.has(property) || always.some(inAll);
}

const NONE: ReadonlyMap<string, Condition> = new Map();

/** An option of a choice, before anything is chosen. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

export class Place {
  readonly label: string;
  readonly hint: string | undefined;
  readonly isSecret: boolean;
  private knownControl: ControlFacts | undefined;
  private knownChoices: readonly Choice[] | undefined;

  constructor(
    readonly location: Location,
    readonly property: string,
    private readonly language: Language,
  ) {
    this.label = labelOf(location, property, language);
    this.hint = textOf(location, 'description', language);
    this.isSecret = isSecret(location, property);
  }

  get control(): ControlFacts {
    this.knownControl ??= controlFacts(this.location, this.property);
    return this.knownControl;
  }

  /** The allowed values, without a null that has no title: it means that nothing is chosen. */
  get choices(): readonly Choice[] {
    this.knownChoices ??= [...new Set(this.location.members)]
      .map((member) => ({ member, title: titleOfMember(this.location, member, this.language) }))
      .filter(({ member, title }) => member !== null || title !== undefined)
      .map(({ member, title }) => {
        const value = textOfMember(member);
        return { value, label: title ?? value };
      });
    return this.knownChoices;
  }
}
