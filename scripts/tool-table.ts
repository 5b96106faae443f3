/** Writes the list of tools as JSON, for the build to put in. */
import { describeTools } from '../src/mcp/tools.ts';

process.stdout.write(JSON.stringify(await describeTools()));
