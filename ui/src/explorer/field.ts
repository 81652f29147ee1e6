// A field of the indices that are looked at.

export interface Field {
  name: string;
  /** More than one where indices disagree. */
  types: string[];
  aggregatable: boolean;
  searchable: boolean;
  /** By type: the indices that have it, where indices disagree. */
  where: Record<string, string[]>;
}

/** Types whose values are numbers. */
export const NUMBERS = ["long", "integer", "short", "byte", "unsigned_long", "double", "float", "half_float", "scaled_float"];
