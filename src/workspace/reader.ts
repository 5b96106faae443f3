/**
 * The interface of a workspace for operations that only read. It is implemented by a project on this disk and by a caller's view
 * of a shared catalog.
 */
import type { FileTree } from '../core/disk/tree.ts';
import type { SourceIndex, SearchDocument } from '../search/document.ts';
import type { Search } from '../search/search.ts';
import type { Skill } from '../skills/skill.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import type { IndexMarker } from './index-marker.ts';
import type { LowerCaseBodies } from './lower-case-bodies.ts';
import type { OpenOptions } from './settings.ts';
import type { SkillContent } from './skill-content.ts';
import type { ScanObserver, Snapshot } from './workspace.ts';

/** `Workspace` implements all of it. */
export interface Reader {
  readonly snapshot: Snapshot;
  readonly options: OpenOptions;
  /** Read-only access to the files. */
  readonly disk: FileTree;
  /** Set for a view of a shared catalog: no agent of this machine reads its files, and it never changes. */
  readonly isShared?: true;
  /** Returns true if nothing changed since the last scan. Set if the files are watched. */
  readonly isCurrent?: (() => Promise<boolean>) | undefined;
  /** Cache of the bodies that keyword searches have read. */
  readonly lowerCaseBodies: LowerCaseBodies;
  /** Returns a snapshot of the current files, or the last one if they cannot be read. */
  fresh(): Promise<Snapshot>;
  /** Returns the specs of the current files. */
  freshSpecs(): Promise<SpecCatalog>;
  /** Rescans the files, unless they cannot have changed. */
  reload(): Promise<Snapshot>;
  /** Calls the observer at every scan until the returned function is called. */
  observe(observer: ScanObserver): () => void;
  search(): Promise<Search>;
  /** Whether the search was prepared by a command or a tool. */
  indexMarker(): Promise<IndexMarker>;
  /**
   * Returns the documents of all enabled skills, if several readers share them. Their names may differ from the names that this
   * reader shows.
   */
  readonly skillDocuments?: (() => Promise<readonly SearchDocument[]>) | undefined;
  /** Returns the index data of the document at a path, if it is known. */
  sourceIndexOf?(place: string): SourceIndex | undefined;
  /** Returns the text and the files of a skill. */
  contentOf(skill: Skill): SkillContent;
}
