// The suite imports one function that only Node 22 has, and uses it in a command that is not run here.
import { register } from 'node:module';

const hook = `
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.includes('/conformance/dist/') || loaded.source === undefined || loaded.source === null) return loaded;
  return { ...loaded, source: String(loaded.source).replace(/\\bglobSync\\b(?:\\s+as\\s+\\w+)?,?/u, '') };
}`;
if (Number(process.versions.node.split('.')[0]) < 22)
  register(`data:text/javascript,${encodeURIComponent(hook)}`, import.meta.url);
