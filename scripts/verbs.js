/** The verbs that begin the names of functions that act or wait. A new one is added here if none of these says it. */
export const verbs = `
  abandon abort accept acquire act add adjust admit adopt advance advise allow announce answer append apply approve ask
  assign audit authenticate back become begin book break bring buy call cancel catch change check choose clean clear
  close collect commit compare complete compose compress conclude confirm connect continue convert copy correct count
  create cross decide decline decode define delegate delete deliver describe die digest discover discriminate
  distinct do download draft drain draw drip drop empty encode end enrol ensure enter erase estimate exchange expect
  expire export extend fail feed fetch fill find finish flush follow forbid forget format forward freeze
  generate get give go grant handle hang hash hold ignore import init insert inspect instantiate invite iterate
  join judge keep kill lay leave let limit link list listen load log look lose lower make map mark measure mend
  migrate move mux notify offer open order pack paint park parse pause pay pipe place plan play point poll post
  prefill prepare present preview print probe propose prove provide prune publish put quote reach read recall
  receive reconcile record recount redirect refill refresh refund refuse rehearse reject release reload remember remind
  remove rename render renew reopen repeat replace report request require reserve resolve respond restore resume
  retire retry reveal revoke rewrap roll rotate run sample save say scan scrape search seed sell send serve set
  settle share show sign silence simulate sleep snapshot sniff start stat stop store stream submit sum supervise
  survey sweep sync take tell throw tidy touch track try undo unlink unpack update upload upsert use verify visit wait wake
  walk warn watch withdraw work write yield
`
  .trim()
  .split(/\s+/);
