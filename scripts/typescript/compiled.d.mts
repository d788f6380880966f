/** Where in the TypeScript a place of the compiled JavaScript is; both begin at 1. */
export declare function sourcePlace(file: string, line: number, column: number): { line: number; column: number };
