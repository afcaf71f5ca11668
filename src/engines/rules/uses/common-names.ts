/** Names that so many things have that a search for them tells nothing. */

const common = new Set(
  (
    "add all any append apply args array assert async before after begin body build byte call cancel check class clean clear " +
    "client clone close code collect compare config connect const contains context convert copy count create current data date " +
    "debug decode default delete describe dispose done drop each element else emit empty enable encode end entry equals error " +
    "event exec execute exists exit export fail fetch field file fill filter find first flush for format from func function " +
    "get getattr group handle handler has hash header hide if import index info init input insert int invoke is item items join " +
    "json key keys kind last length level line list listen load lock log lookup main make map match max merge message method " +
    "min mode model module move name new next node none null number object of off on open option options order output params " +
    "parse patch path peek pop post prepare print process property push put query raise read receive record reduce refresh " +
    "register reject release remove render replace request require reset resolve response result return reverse root route run " +
    "save scan schema search select self send server set setup show shutdown size skip sleep sort split start state static " +
    "status step stop store stream string submit sum super switch sync table tag take task test then this throw time title " +
    "toString token trim true type undefined unlock update upload url use user validate value values verify version view visit " +
    "wait warn watch with while write yield"
  ).split(" "),
);

/** Long enough, and no word that stands everywhere. */
export function isDistinctive(name: string): boolean {
  return name.length >= 4 && !common.has(name) && !common.has(name.toLowerCase()) && /[A-Za-z]/.test(name);
}
