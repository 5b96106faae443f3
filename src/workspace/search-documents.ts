/** Converts skills, requirements and changes to search documents. */
import { breather } from '../core/breathe.ts';
import { compareText } from '../core/text.ts';
import { stampText } from '../core/disk/tree.ts';
import type { Corpus, DocumentKind, LowerCaseText, SourceIndex, SearchDocument } from '../search/document.ts';
import type { State } from '../skills/filter.ts';
import { fullNameOf, type Skill } from '../skills/skill.ts';
import { readBody, stampOf } from './skill-content.ts';
import type { Reader } from './reader.ts';
import type { Snapshot } from './workspace.ts';

/** Builds each corpus of a snapshot once. */
function remember(snapshot: Snapshot, question: string, make: () => Promise<Corpus>): Promise<Corpus> {
  const known = snapshot.corpora.get(question);
  if (known) return known;
  const made = make();
  snapshot.corpora.set(question, made);
  return made;
}

/** Returns everything that can be indexed: all requirements, all active changes, and all skills, regardless of filters. */
export function corpusToIndex(workspace: Reader): Promise<Corpus> {
  const { snapshot, options } = workspace;
  return remember(snapshot, 'index', async () => {
    const skills =
      options.skills === false
        ? []
        : snapshot.all.copies.map((skill) => new SkillDocument(workspace, skill, skill.name));
    const specs = await documentsOfSpecs(workspace);
    return {
      documents: [...skills, ...specs],
      kinds: options.skills === false ? ['requirement', 'change'] : ['skill', 'requirement', 'change'],
    };
  });
}

/**
 * Returns the documents that a search may find: the skills that match the filters, with the names that lists show, and the specs.
 */
export function corpusToSearch(workspace: Reader, state: State, kinds: readonly DocumentKind[]): Promise<Corpus> {
  const { snapshot } = workspace;
  return remember(snapshot, `${state} ${kinds.join(' ')}`, async () => {
    const catalog = snapshot.view(state);
    const nameOf = (skill: Skill): string => (catalog.isWinner(skill) ? catalog.displayName(skill) : fullNameOf(skill));
    const shared = kinds.includes('skill') && state === 'enabled' ? await workspace.skillDocuments?.() : undefined;
    const skills: SearchDocument[] = [...(shared ?? [])];
    const breathe = breather();
    for (const skill of kinds.includes('skill') && !shared ? catalog.skills : []) {
      const pause = breathe();
      if (pause) await pause;
      if (snapshot.offers(skill)) skills.push(new SkillDocument(workspace, skill, nameOf(skill)));
    }
    const wantsSpecs = kinds.includes('requirement') || kinds.includes('change');
    const specs = wantsSpecs ? (await documentsOfSpecs(workspace)).filter(({ kind }) => kinds.includes(kind)) : [];
    // Equal hits are ordered by id. Sorting ten thousand documents once is cheaper than sorting them for every search.
    const documents = [...skills, ...specs].sort((a, b) => compareText(a.id, b.id));
    if (workspace.sourceIndexOf)
      for (const document of documents) document.sourceIndex ??= workspace.sourceIndexOf(document.path);
    return { documents, kinds, nameOf: (document) => (isSkill(document) ? nameOf(document.subject) : document.name) };
  });
}

/** Loaded only if specs are searched. */
async function documentsOfSpecs({ snapshot, options }: Reader): Promise<SearchDocument[]> {
  const { specDocuments } = await import('./spec-documents.ts');
  return specDocuments(await snapshot.specs(), options.projectDir);
}

function isSkill(document: SearchDocument): document is SkillDocument {
  return document instanceof SkillDocument;
}

/** Returns the skill of a document, if it is one. */
export function skillOf({ kind, subject }: SearchDocument): Skill | undefined {
  return kind === 'skill' ? (subject as Skill) : undefined;
}

/**
 * Holds little more than the skill and its names. Each view of a shared catalog has separate documents, and a hundred thousand
 * objects with all these fields would take more memory than the skills themselves.
 */
class SkillDocument implements SearchDocument {
  readonly subject: Skill;
  /** Stored instead of computed, because it is compared often. */
  readonly id: string;
  readonly name: string;
  sourceIndex: SourceIndex | undefined;
  readonly #workspace: Reader;
  #lowerCase: LowerCaseText | undefined;

  constructor(workspace: Reader, skill: Skill, name: string) {
    this.#workspace = workspace;
    this.subject = skill;
    this.id = fullNameOf(skill);
    this.name = name;
  }

  get kind(): 'skill' {
    return 'skill';
  }

  /** Copies may share a full name, but not a file. */
  get key(): string {
    return this.subject.realFile;
  }

  get names(): string[] {
    return [this.subject.name, this.subject.folder];
  }

  get path(): string {
    return this.subject.file;
  }

  get description(): string {
    return this.subject.description;
  }

  /** Read on demand: a one-shot scan has no stamps, and few searches need them. */
  get stamp(): string {
    return stampText(stampOf(this.#workspace.disk, this.subject));
  }

  get body(): () => string {
    return () => readBody(this.#workspace.disk, this.subject).text;
  }

  /** Computed on demand, because only keyword mode needs it. */
  get lowerCase(): LowerCaseText {
    const { name, folder, description } = this.subject;
    return (this.#lowerCase ??= {
      names: `${name}\n${folder}`.toLowerCase(),
      description: description.toLowerCase(),
      body: this.#workspace.lowerCaseBodies.reader(this.subject, () => readBody(this.#workspace.disk, this.subject)),
    });
  }
}
