import type { Capabilities } from './generated/wire.ts';

interface ParameterRow {
  /** Field of a model's `capabilities` with its own bounds or choices; null if they are the same for all models. */
  capability: keyof Capabilities | null;
  /** Unit in messages, such as `seconds`. */
  unit: string | null;
  /** Name of its field in forms. */
  label: string;
  /** Shorter name on pages; by default the label in sentence case. */
  short?: string;
  /** Description in the API's documents. */
  help: string;
  /** Description for readers who see a field instead of a request; for a flag, it begins with "Whether". */
  hint: string;
  /** Option of the command line, without its dashes; null if another option implies it. */
  option: { name: string; letter?: string; argument?: string; hint?: string } | null;
  /**
   * The version that introduced it; null if 0.1.0 did. Records of generations made before that version lack it, so it
   * is optional in responses.
   */
  since: string | null;
  /** Set if it also has its own rules and forms, in addition to those derived from this table. */
  apart?: boolean;
}

/** A whole number. */
export interface IntegerRow extends ParameterRow {
  kind: 'integer';
  /** Bounds across all models. */
  range: Readonly<{ min: number; max: number }>;
  /** Default for models without their own; null if the server chooses one. */
  default: number | null;
  /**
   * Name in a route's `does`, and the values made by providers that declare nothing (null for all values). The
   * entry is null if every provider delivers the parameter, or it promises nothing.
   */
  support: { name: string; undeclared: readonly number[] | null } | null;
}

/** One of several words. */
export interface ChoiceRow extends ParameterRow {
  kind: 'choice';
  values: readonly string[];
  default: string;
  support: { name: string; undeclared: readonly string[] | null } | null;
}

/** True or false. */
export interface FlagRow extends ParameterRow {
  kind: 'flag';
  default: false;
  /** Behaviour of a model without it, such as `makes no sound`; null if every model has it. */
  without: string | null;
  /** `mayForce`: some providers always do it, which they declare as `always`. */
  support: { name: string; undeclared: boolean; mayForce?: boolean } | null;
}

/** A number with decimals. Only models with bounds of their own in their capabilities take it. */
export interface FractionRow extends ParameterRow {
  kind: 'fraction';
  /** Bounds across all models. */
  range: Readonly<{ min: number; max: number; step: number }>;
  /** Null if it is left out unless it is asked for. */
  default: number | null;
  support: { name: string; undeclared: readonly number[] | null };
}

/**
 * Words of the customer, private like the prompt: responses lack them, and they are removed with it. Only models with a
 * bound of their own in their capabilities take them.
 */
export interface TextRow extends ParameterRow {
  kind: 'text';
  /** Maximum characters after trimming, across all models. */
  maxLength: number;
  /** Whether line breaks may appear. */
  hasLines: boolean;
  default: null;
  support: { name: string; undeclared: boolean };
}

/** One request parameter. */
export type Parameter = IntegerRow | FractionRow | ChoiceRow | FlagRow | TextRow;

/** The rows of a kind. */
export type RowOf<K extends Parameter['kind']> = Extract<Parameter, { kind: K }>;

/** Parameters by name. */
export type ParameterTable = Readonly<Record<string, Parameter>>;
