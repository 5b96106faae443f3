/** Reports each warning only once, because a server has the same problem with every request. */
export function warnOnce(warn: (text: string) => void): (text: string) => void {
  const warned = new Set<string>();
  return (text) => {
    if (warned.has(text)) return;
    warned.add(text);
    warn(text);
  };
}
