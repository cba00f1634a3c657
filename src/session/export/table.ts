/** Rows as lines of cells: what CSV, TSV and JSON are made of. */
export interface Table<Row> {
  /** The name of the list in a JSON file, as the reply of the contract names it. */
  readonly name: 'proposals' | 'supply' | 'params';
  readonly columns: readonly string[];
  /** One cell for each column; amounts are exact digits, times are RFC 3339, "" is absent. */
  readonly cells: (row: Row) => readonly string[];
  /** The row as JSON; amounts are strings of digits. */
  readonly json: (row: Row) => unknown;
}
