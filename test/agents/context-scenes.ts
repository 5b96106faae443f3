/** Projects and homes on which `lectern context` is compared with the first request of real agents. */
import type { ContextScene } from './request-context.ts';

export const CONTEXT_SCENES: Readonly<Partial<Record<string, Record<string, ContextScene>>>> = {
  claude: {
    'home, project and local files, rules, imports two deep, comments and subagents': {
      files: {
        'home/.claude/CLAUDE.md': '# Home memory\nhome line @imports/home.md\n',
        'home/.claude/imports/home.md': 'HOMEIMPORT\n',
        'home/.claude/rules/hr.md': 'HOMERULE\n',
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/CLAUDE.md':
          '# Project\nSee @docs/a.md and @docs/missing.md and `@docs/code.md`.\n<!-- hidden comment -->\nAfter comment. <!-- inline --> tail\n```\n@docs/fence.md\n<!-- in fence -->\n```\nEmail me@docs/c.md or (@docs/paren.md) @docs/dot.md.\n@./docs/dotslash.md\n@~/tilde.md\n',
        'home/tilde.md': 'TILDE\n',
        'project/docs/a.md': 'AFILE then @b.md\n',
        'project/docs/b.md': 'BFILE\n\n\n',
        'project/docs/code.md': 'CODEFILE\n',
        'project/docs/fence.md': 'FENCEFILE\n',
        'project/docs/c.md': 'CFILE\n',
        'project/docs/paren.md': 'PARENFILE\n',
        'project/docs/dot.md': 'DOTFILE\n',
        'project/docs/dotslash.md': 'DOTSLASH\n',
        'project/CLAUDE.local.md': 'LOCALFILE\n',
        'project/.claude/CLAUDE.md': 'DOTCLAUDE\n',
        'project/.claude/rules/plain.md': 'RULEPLAIN\n',
        'project/.claude/rules/sub/deep.md': 'RULEDEEP\n',
        'project/.claude/rules/withpaths.md': '---\npaths: ["src/**"]\n---\nRULEPATHS\n',
        'project/.claude/rules/front.md': '---\ndescription: x\n---\nRULEFRONT\n',
        'project/AGENTS.md': 'AGENTSFILE\n',
        'home/.claude/agents/reviewer.md':
          '---\nname: reviewer\ndescription: Personal reviewer\n---\nBody of reviewer.\n',
        'project/.claude/agents/reviewer.md':
          '---\nname: reviewer\ndescription: Project reviewer\ntools: Read, Grep\n---\nBody of reviewer.\n',
        'project/.claude/agents/nodesc.md': '---\nname: nodesc\n---\nx\n',
        'project/.claude/agents/sub/deep.md':
          '---\nname: deepagent\ndescription: Deep one\nmodel: sonnet\n---\nBody of deepagent.\n',
        'project/.claude/agents/file-name.md':
          '---\nname: othername\ndescription: Name differs from file\n---\nBody of othername.\n',
        'project/.claude/commands/ship.md': '---\ndescription: Ship it\n---\nDo\n',
        'project/.claude/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Works with PDF\n---\nBody\n',
      },
    },
    'a subfolder, whose root has imports that lead out of it': {
      in: 'project/pkg/app',
      files: {
        'home/.claude/CLAUDE.md': '# Home memory\nhome line @imports/home.md\n',
        'home/.claude/imports/home.md': 'HOMEIMPORT\n',
        'home/.claude/rules/hr.md': 'HOMERULE\n',
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/CLAUDE.md':
          '# Project\nSee @docs/a.md and @docs/missing.md and `@docs/code.md`.\n<!-- hidden comment -->\nAfter comment. <!-- inline --> tail\n```\n@docs/fence.md\n<!-- in fence -->\n```\nEmail me@docs/c.md or (@docs/paren.md) @docs/dot.md.\n@./docs/dotslash.md\n@~/tilde.md\n',
        'home/tilde.md': 'TILDE\n',
        'project/docs/a.md': 'AFILE then @b.md\n',
        'project/docs/b.md': 'BFILE\n\n\n',
        'project/docs/code.md': 'CODEFILE\n',
        'project/docs/fence.md': 'FENCEFILE\n',
        'project/docs/c.md': 'CFILE\n',
        'project/docs/paren.md': 'PARENFILE\n',
        'project/docs/dot.md': 'DOTFILE\n',
        'project/docs/dotslash.md': 'DOTSLASH\n',
        'project/CLAUDE.local.md': 'LOCALFILE\n',
        'project/.claude/CLAUDE.md': 'DOTCLAUDE\n',
        'project/.claude/rules/plain.md': 'RULEPLAIN\n',
        'project/.claude/rules/sub/deep.md': 'RULEDEEP\n',
        'project/.claude/rules/withpaths.md': '---\npaths: ["src/**"]\n---\nRULEPATHS\n',
        'project/.claude/rules/front.md': '---\ndescription: x\n---\nRULEFRONT\n',
        'project/AGENTS.md': 'AGENTSFILE\n',
        'home/.claude/agents/reviewer.md':
          '---\nname: reviewer\ndescription: Personal reviewer\n---\nBody of reviewer.\n',
        'project/.claude/agents/reviewer.md':
          '---\nname: reviewer\ndescription: Project reviewer\ntools: Read, Grep\n---\nBody of reviewer.\n',
        'project/.claude/agents/nodesc.md': '---\nname: nodesc\n---\nx\n',
        'project/.claude/agents/sub/deep.md':
          '---\nname: deepagent\ndescription: Deep one\nmodel: sonnet\n---\nBody of deepagent.\n',
        'project/.claude/agents/file-name.md':
          '---\nname: othername\ndescription: Name differs from file\n---\nBody of othername.\n',
        'project/.claude/commands/ship.md': '---\ndescription: Ship it\n---\nDo\n',
        'project/.claude/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Works with PDF\n---\nBody\n',
        'project/pkg/CLAUDE.md': 'PKGCLAUDE @x.md\n',
        'project/pkg/x.md': 'PKGX\n',
        'project/pkg/app/CLAUDE.md': 'APPCLAUDE @in.md @../up.md\n',
        'project/pkg/app/in.md': 'APPIN\n',
        'project/pkg/up.md': 'PKGUP\n',
        'project/pkg/app/.claude/rules/r.md': 'APPRULE\n',
        'project/pkg/app/.claude/agents/appagent.md':
          '---\nname: appagent\ndescription: App agent\n---\nBody of appagent.\n',
        'project/pkg/app/.claude/agents/reviewer.md':
          '---\nname: reviewer\ndescription: App reviewer\n---\nBody of reviewer.\n',
      },
    },
    'folders above the working folder without a repository': {
      in: 'project/sub',
      files: {
        'CLAUDE.md': 'ABOVEPROJECT\n',
        'project/CLAUDE.md': 'PROJECTFILE\n',
        'project/sub/CLAUDE.md': 'SUBFILE\n',
      },
    },
    'a folder above the repository, and imports five deep': {
      files: {
        'CLAUDE.md': 'ABOVEREPO @inc.md\n',
        'inc.md': 'ABOVEINC\n',
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/CLAUDE.md': 'PROJECTFILE @docs/1.md @docs/1.md\n',
        'project/docs/1.md': 'D1 @2.md\n',
        'project/docs/2.md': 'D2 @3.md\n',
        'project/docs/3.md': 'D3 @4.md\n',
        'project/docs/4.md': 'D4 @5.md\n',
        'project/docs/5.md': 'D5 @6.md\n',
        'project/docs/6.md': 'D6 @7.md\n',
        'project/docs/7.md': 'D7 @8.md\n',
        'project/docs/8.md': 'D8 @9.md\n',
      },
    },
    'imports in a circle, a byte order mark and frontmatter': {
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/CLAUDE.md': '﻿---\ntitle: x\n---\r\nPROJECTFILE\r\n@a.md\r\n',
        'project/a.md': 'AF @b.md\n',
        'project/b.md': 'BF @a.md @CLAUDE.md\n',
        'project/CLAUDE.local.md': 'LOC @a.md\n',
      },
    },
    'a file of 108,000 characters, and a subagent that replaces a built-in one': {
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/CLAUDE.md': 'Line of text that is long.\n'.repeat(4000) + 'ENDMARK\n',
        'project/.claude/agents/long.md':
          '---\nname: long\ndescription: ' + 'L'.repeat(3000) + '\n---\nBody of long.\n',
        'project/.claude/agents/multi.md': '---\nname: multi\ndescription: |\n  line one\n  line two\n---\nb\n',
        'project/.claude/agents/gp.md':
          '---\nname: general-purpose\ndescription: Mine\n---\nBody of general-purpose.\n',
      },
    },
    'AGENTS.md alone': {
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/AGENTS.md': 'AGENTSONLY\n',
        'home/.claude/AGENTS.md': 'HOMEAGENTS\n',
      },
    },
    'files without text': {
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/x': 'x',
        'home/.claude/CLAUDE.md': '   \n\n',
        'project/CLAUDE.md': '',
      },
    },
    'the same text twice, and a link to a loaded file': {
      links: { 'project/.claude/CLAUDE.md': '{dir}/project/CLAUDE.md' },
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/CLAUDE.md': 'SAMETEXT of both\n',
        'home/.claude/CLAUDE.md': 'SAMETEXT of both\n',
        'project/.claude/agents/x.md': 'no frontmatter\n',
      },
    },
    'rules in folders, for paths and with imports': {
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/CLAUDE.md': 'P\n',
        'project/.claude/rules/zeta.md': 'Rzeta @imp.md\n',
        'project/.claude/rules/alpha.md': 'Ralpha @imp.md\n',
        'project/.claude/rules/mid.md': 'Rmid @imp.md\n',
        'project/.claude/rules/b2.md': 'Rb2 @imp.md\n',
        'project/.claude/rules/a/x.md': 'Ra/x @imp.md\n',
        'project/.claude/rules/z/y.md': 'Rz/y @imp.md\n',
        'project/.claude/rules/a/w.md': 'Ra/w @imp.md\n',
        'project/.claude/rules/imp.md': 'IMP\n',
        'project/.claude/rules/note.txt': 'TXT\n',
        'project/.claude/rules/emptypaths.md': '---\npaths: []\n---\nEMPTYPATHS\n',
        'project/.claude/rules/allpaths.md': '---\npaths: "**"\n---\nALLPATHS\n',
        'project/.claude/rules/globs.md': '---\nglobs: "*.ts"\n---\nGLOBS\n',
      },
    },
    'comments in many places': {
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/CLAUDE.md':
          'Start\n\n<!-- multi\nline\n\ncomment -->\n\nMid\n<!-- begin --> after text\n- list\n  <!-- in list -->\n  more\n\n<!--x--><!--y-->\n\n`<!-- span -->`\n\n    <!-- indented code -->\n\ntext <!-- @c1.md --> x\n\n<!-- @c2.md -->\n\nEnd <!-- unclosed\n\n<!-- block unclosed\nTAIL\n',
        'project/c1.md': 'C1\n',
        'project/c2.md': 'C2\n',
      },
    },
    'imports in many forms': {
      links: { 'project/CLAUDE.local.md': '{dir}/project/real.md' },
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'outside.md': 'OUTSIDE\n',
        'project/real.md': 'REALLOCAL\n',
        'project/CLAUDE.md':
          'a @s\\ p.md b\n@comma.md, c\n- @list.md\n**@bold.md**\n"@quote.md"\n# @head.md\n    @indent.md\n@frag.md#part\n@data.json\n@img.png\n@script.ts\n@noext\n@bin.md\n@sub\n@out.md\n@../outside.md\n@/abs.md\n@up/../dd.md\n@tab.md\t@tab2.md\n> @bq.md\n| @cell.md | x |\n[@link.md](x)\n@long.md\n@Case.MD\n@star*.md\n@x@y.md\n@emph_a_b.md *@em.md*\n',
        'project/s p.md': 'SP\n',
        'project/comma.md': 'COMMA_MD\n',
        'project/comma.md,': 'COMMA_MD,\n',
        'project/list.md': 'LIST_MD\n',
        'project/bold.md': 'BOLD_MD\n',
        'project/quote.md': 'QUOTE_MD\n',
        'project/head.md': 'HEAD_MD\n',
        'project/indent.md': 'INDENT_MD\n',
        'project/frag.md': 'FRAG_MD\n',
        'project/data.json': 'DATA_JSON\n',
        'project/img.png': 'IMG_PNG\n',
        'project/script.ts': 'SCRIPT_TS\n',
        'project/noext': 'NOEXT\n',
        'project/dd.md': 'DD_MD\n',
        'project/tab.md': 'TAB_MD\n',
        'project/tab2.md': 'TAB2_MD\n',
        'project/bq.md': 'BQ_MD\n',
        'project/cell.md': 'CELL_MD\n',
        'project/link.md': 'LINK_MD\n',
        'project/Case.MD': 'CASE_MD\n',
        'project/x@y.md': 'X@Y_MD\n',
        'project/emph_a_b.md': 'EMPH_A_B_MD\n',
        'project/em.md': 'EM_MD\n',
        'project/bin.md': '\u0000\u0001BIN\n',
        'project/sub/f.md': 'x',
        'project/long.md': 'w'.repeat(50000),
      },
    },
    'AGENTS.md in the root and CLAUDE.md in the subfolder': {
      in: 'project/sub',
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/AGENTS.md': 'ROOTAGENTS @i.md <!-- c -->\n\n<!-- block -->\n',
        'project/i.md': 'I\n',
        'project/sub/CLAUDE.md': 'SUBCLAUDE\n',
        'project/sub/AGENTS.md': 'SUBAGENTS\n',
      },
    },
    'AGENTS.md beside files without text': {
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/AGENTS.md': 'ROOTAGENTS @i.md\n',
        'project/i.md': 'I\n',
        'project/CLAUDE.md': '\n',
        'project/.claude/CLAUDE.md': '',
      },
    },
    'imports to other places that the user approved, and excluded files': {
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'outside.md': 'OUTSIDE\n',
        'home/.claude.json': '{"projects":{"{dir}/project":{"hasClaudeMdExternalIncludesApproved":true}}}',
        'project/CLAUDE.md': 'P @../outside.md @~/t.md\n',
        'home/t.md': 'TILDE\n',
        'home/.claude/CLAUDE.md': 'H @../t.md @{dir}/outside2.md\n',
        'outside2.md': 'OUT2\n',
        'home/.claude/settings.json': '{"claudeMdExcludes":["**/CLAUDE.local.md"]}',
        'project/CLAUDE.local.md': 'EXCLUDED?\n',
      },
    },
    'subagents with tools, odd names and escapes': {
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/.claude/agents/a.md': '---\nname: alpha\ndescription: Alpha\ntools: []\n---\nBody of alpha.\n',
        'project/.claude/agents/b.md': '---\nname: Beta\ndescription: Beta\ntools: "*"\n---\nBody of Beta.\n',
        'project/.claude/agents/c.md':
          '---\nname: gamma\ndescription: Gamma\ndisallowedTools: Bash, Edit\n---\nBody of gamma.\n',
        'project/.claude/agents/d.md':
          '---\nname: delta\ndescription: Delta\ntools: [Read, Bash]\ndisallowedTools: Bash\n---\nBody of delta.\n',
        'project/.claude/agents/e.md': '---\nname: two words\ndescription: Two\n---\nBody of two words.\n',
        'project/.claude/agents/f.md': '---\ndescription: noname\n---\nx\n',
        'project/.claude/agents/g.md': '---\nname: esc\ndescription: "one\\ntwo\\\\nthree"\n---\nBody of esc.\n',
        'project/.claude/agents/h.md': '---\nname: colon\ndescription: Use when: now\n---\nBody of colon.\n',
        'project/.claude/agents/i.md':
          '---\nname: tools2\ndescription: T\ntools: Read,Write, Bash(git *)\n---\nBody of tools2.\n',
        'project/.claude/agents/j.md': '---\nname: empty\ndescription: ""\n---\nBody of empty.\n',
        'project/.claude/agents/k.md': '---\nname: nobody\ndescription: No body\n---\n',
        'project/.claude/agents/l.md':
          '---\nname: mcpt\ndescription: M\ntools: mcp__x__y, Task, Nonexistent\n---\nBody of mcpt.\n',
        'home/.claude/agents/alpha.md': '---\nname: ALPHA\ndescription: Home upper\n---\nBody of ALPHA.\n',
        'project/.claude/agents/n.md': '---\nname: ünï\ndescription: Unicode\n---\nBody of ünï.\n',
        'project/.claude/agents/o.md': '---\nname: 5num\ndescription: Digits\n---\nBody of 5num.\n',
        'project/.claude/agents/sub/dir/p.md': '---\nname: deepsub\ndescription: Deep\n---\nBody of deepsub.\n',
        'project/.claude/agents/q.txt': '---\nname: txt\ndescription: Txt\n---\nBody of txt.\n',
        'project/.claude/agents/r.md':
          '---\nname: paths\ndescription: P\nmodel: opus\ncolor: red\nbackground: true\nmemory: project\nskills: x\n---\nBody of paths.\n',
      },
    },
    'AGENTS.md in three folders, and a personal file': {
      in: 'project/sub',
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/AGENTS.md': 'ROOTAGENTS @i.md <!-- c -->\n\n<!-- block -->\n\nEND\n',
        'project/i.md': 'I\n',
        'project/sub/AGENTS.md': 'SUBAGENTS @../i.md @j.md\n',
        'project/sub/j.md': 'J\n',
        'AGENTS.md': 'ABOVEAGENTS\n',
        'home/.claude/CLAUDE.md': 'HOMEC\n',
      },
    },
    'AGENTS.md beside a local file': {
      in: 'project',
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/AGENTS.md': 'ROOTAGENTS @i.md <!-- c -->\n\n<!-- block -->\n\nEND\n',
        'project/i.md': 'I\n',
        'project/sub/AGENTS.md': 'SUBAGENTS @../i.md @j.md\n',
        'project/sub/j.md': 'J\n',
        'AGENTS.md': 'ABOVEAGENTS\n',
        'project/CLAUDE.local.md': 'LOC\n',
      },
    },
    'AGENTS.md beside rules': {
      in: 'project',
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/AGENTS.md': 'ROOTAGENTS @i.md <!-- c -->\n\n<!-- block -->\n\nEND\n',
        'project/i.md': 'I\n',
        'project/sub/AGENTS.md': 'SUBAGENTS @../i.md @j.md\n',
        'project/sub/j.md': 'J\n',
        'AGENTS.md': 'ABOVEAGENTS\n',
        'project/.claude/rules/r.md': 'RULE\n',
      },
    },
    'comments between tags, lists and tables': {
      in: 'project',
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/CLAUDE.md':
          '<div>\n<!-- indiv -->\n</div>\n\n1. one\n\n   <!-- in item -->\n\n<!-- after list -->\n\n* two\n <!-- one space -->\ntext\n   <!-- three -->\n\n> <!-- quote -->\n\n| a | b |\n|---|---|\n<!-- aftertable -->\nend\n\n~~~\n<!-- tilde -->\n~~~\n<!-- a --> <b>x</b> <!-- b -->\n<!---->\n<!-- -- -->\nlast',
      },
    },
    'the tools of two servers, one of them with instructions': {
      asksServers: true,
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'home/.claude.json': JSON.stringify({
          mcpServers: {
            one: { type: 'stdio', command: '{node}', args: ['{server}', '{dir}', 'good', 'Use it well.'] },
            'two-b': { type: 'stdio', command: '{node}', args: ['{server}', '{dir}'] },
          },
        }),
      },
    },
  },
  codex: {
    'the tools of two servers, one of them with instructions': {
      asksServers: true,
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'home/.codex/config.toml': [
          '[mcp_servers.one]',
          'command = "{node}"',
          'args = ["{server}", "{dir}", "good", "Use it well."]',
          '[mcp_servers.two-b]',
          'command = "{node}"',
          'args = ["{server}", "{dir}"]',
          '',
        ].join('\n'),
      },
    },
    'home and three folders of a repository': {
      in: 'project/pkg/app',
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'home/.codex/AGENTS.md': 'HOMEAGENTS\n',
        'project/AGENTS.md': 'ROOTAGENTS @docs/a.md <!-- comment -->\n',
        'project/docs/a.md': 'AFILE\n',
        'project/pkg/AGENTS.md': 'PKGAGENTS\n\n',
        'project/pkg/app/AGENTS.md': 'APPAGENTS\n',
        'project/CLAUDE.md': 'CLAUDEFILE\n',
        'project/.codex/prompts/x.md': 'PROMPT\n',
        'home/.codex/prompts/ship.md': 'Ship\n',
      },
    },
    'overrides in the home and in a folder': {
      in: 'project/pkg',
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'home/.codex/AGENTS.md': 'HOMEAGENTS\n',
        'home/.codex/AGENTS.override.md': 'HOMEOVERRIDE\n',
        'project/AGENTS.md': 'ROOTAGENTS\n',
        'project/pkg/AGENTS.md': 'PKGAGENTS\n',
        'project/pkg/AGENTS.override.md': 'PKGOVERRIDE\n',
      },
    },
    'one byte less than the limit': {
      in: 'project/pkg',
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/AGENTS.md': 'a'.repeat(32764) + 'END',
        'project/pkg/AGENTS.md': 'PKGAGENTS\n',
      },
    },
    'exactly the limit': {
      in: 'project/pkg',
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/AGENTS.md': 'a'.repeat(32765) + 'END',
        'project/pkg/AGENTS.md': 'PKGAGENTS\n',
      },
    },
    'one byte more than the limit': {
      in: 'project/pkg',
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/AGENTS.md': 'a'.repeat(32766) + 'END',
        'project/pkg/AGENTS.md': 'PKGAGENTS\n',
      },
    },
    'two files that exceed the limit together': {
      in: 'project/pkg',
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'home/.codex/AGENTS.md': 'h'.repeat(2000) + 'HOMEEND',
        'project/AGENTS.md': 'é'.repeat(16000) + 'END',
        'project/pkg/AGENTS.md': 'PKGAGENTS' + 'é'.repeat(1000),
      },
    },
    'a long personal file, which has no limit': {
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'home/.codex/AGENTS.md': 'h'.repeat(40000) + 'HOMEEND',
        'project/AGENTS.md': 'PROJ\n',
      },
    },
    'no repository': {
      in: 'project/pkg',
      files: {
        'project/AGENTS.md': 'ROOTAGENTS\n',
        'project/pkg/AGENTS.md': 'PKGAGENTS\n',
      },
    },
    'files without text': {
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'home/.codex/AGENTS.md': '  \n',
        'home/.codex/AGENTS.override.md': '\n',
        'project/AGENTS.md': '\n\n',
        'project/x': '',
      },
    },
    'another name and another limit in the settings': {
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'home/.codex/config.toml': 'project_doc_fallback_filenames = ["CLAUDE.md"]\nproject_doc_max_bytes = 50\n',
        'project/CLAUDE.md': 'CLAUDEFALLBACK xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n',
      },
    },
    'the same text three times, one of them through a link': {
      in: 'project/pkg',
      links: { 'project/pkg/AGENTS.md': '{dir}/project/AGENTS.md' },
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/pkg/x': '',
        'project/AGENTS.md': '﻿SAME\r\ntext   \n\n',
        'home/.codex/AGENTS.md': 'SAME',
      },
    },
    'a limit in the middle of a character': {
      in: 'project/pkg',
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'project/AGENTS.md': 'a'.repeat(32767),
        'project/pkg/AGENTS.md': 'éa\n',
      },
    },
    'overrides without text': {
      in: 'project/pkg/app',
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'home/.codex/AGENTS.md': '\n  home  \n\n',
        'home/.codex/AGENTS.override.md': ' \n',
        'project/AGENTS.md': '  \n',
        'project/AGENTS.override.md': '\n',
        'project/pkg/AGENTS.md': ' ROOT \n',
        'project/pkg/app/AGENTS.override.md': ' ',
        'project/pkg/app/AGENTS.md': 'APP',
      },
    },
    'another mark for the root of a project': {
      in: 'project/pkg',
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'home/.codex/config.toml':
          'project_doc_fallback_filenames = ["CLAUDE.md","X.md"]\nproject_root_markers = [".hg"]\n',
        'project/CLAUDE.md': 'ROOTCLAUDE',
        'project/pkg/X.md': 'XFILE',
        'project/pkg/CLAUDE.md': 'PKGCLAUDE',
        'project/pkg/AGENTS.md': 'PKGAGENTS',
      },
    },
    'a limit of zero': {
      in: 'project',
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'home/.codex/config.toml': 'project_doc_max_bytes = 0\n',
        'home/.codex/AGENTS.md': 'HOME',
        'project/AGENTS.md': 'ROOT',
      },
    },
    'a personal file alone': {
      in: 'project',
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'home/.codex/AGENTS.md': 'HOME only',
        'project/x': '',
      },
    },
    'a personal subagent, and one of a project without trust': {
      in: 'project',
      files: {
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        'home/.codex/config.toml': '',
        'project/AGENTS.md': 'A',
        'home/.codex/agents/rev.toml': 'name = "rev"\ndescription = "Codex reviewer"\ndeveloper_instructions = "x"\n',
        'project/.codex/agents/rev2.toml':
          'name = "rev2"\ndescription = "Codex reviewer two"\ndeveloper_instructions = "x"\n',
      },
    },
  },
};
