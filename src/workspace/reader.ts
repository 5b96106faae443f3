/**
 * What operations that only read know of a workspace. A project on this disk is one such reader; a caller's view of a shared
 * catalog is another.
 */
import type { FileTree } from '../core/disk/tree.ts';
import type { Part, SearchDocument } from '../search/document.ts';
import type { Search } from '../search/search.ts';
import type { Skill } from '../skills/skill.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import type { IndexMarker } from './index-marker.ts';
import type { LowerCaseBodies } from './lower-case-bodies.ts';
import type { OpenOptions } from './settings.ts';
import type { SkillContent } from './skill-content.ts';
import type { ScanObserver, Snapshot } from './workspace.ts';

/** `Workspace` has all of it. */
export interface Reader {
  readonly snapshot: Snapshot;
  readonly options: OpenOptions;
  /** The files, for looking and reading. */
  readonly disk: FileTree;
  /** Set for a view of a shared catalog: no agent of this machine reads its files, and it never changes. */
  readonly isShared?: true;
  /** Tells whether nothing changed since the last scan, if the files are watched. */
  readonly isCurrent?: (() => Promise<boolean>) | undefined;
  /** The bodies that keyword searches have read. */
  readonly lowerCaseBodies: LowerCaseBodies;
  /** A snapshot of the files as they are now, or the last one if they cannot be read. */
  fresh(): Promise<Snapshot>;
  /** The specs as the files are now. */
  freshSpecs(): Promise<SpecCatalog>;
  /** Reads everything again, where that can bring anything new. */
  reload(): Promise<Snapshot>;
  /** Calls the observer at every scan until the returned function is called. */
  observe(observer: ScanObserver): () => void;
  search(): Promise<Search>;
  /** Whether the search was prepared by a command or a tool. */
  indexMarker(): Promise<IndexMarker>;
  /** The documents of all enabled skills, if there are some for several readers. Their names are not those that this one shows. */
  readonly skillDocuments?: (() => Promise<readonly SearchDocument[]>) | undefined;
  /** What the document at a path is indexed with, if that is known. */
  partOf?(place: string): Part | undefined;
  /** The text and the files of a skill. */
  contentOf(skill: Skill): SkillContent;
}
