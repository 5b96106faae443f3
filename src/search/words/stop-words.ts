/**
 * Words that carry no information about the subject of a document. They are not indexed, so a query of stop words alone finds
 * nothing. Keyword mode finds them.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after all also am an and any are as at be because been before being both but by can cannot could did do does doing done each else ' +
    'ever every for from had has have having he her here him his how i if in into is it its just let like me more most much my no nor not now of ' +
    'off on once one only or other our out over own per please same she should so some someone something such than that the their them then there ' +
    'these they this those through to too under until up us use used uses using very was way we well were what when where which while ' +
    'who whom why will with within without would yet you your'
  ).split(' '),
);
