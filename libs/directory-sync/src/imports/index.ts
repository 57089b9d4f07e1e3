/** Imports of directories from other products: a door of their own, so that no service loads them. */
export { createDirectoryImports, type ImportsOptions } from './create-imports.js';
export type { Imports } from './imports.js';
export type {
  DirectoryContent,
  DirectoryReport,
  ImportConflict,
  ImportCounts,
  ResourceKind,
  SourceDirectory,
  SourceGroup,
  SourceUser,
} from './import.types.js';
