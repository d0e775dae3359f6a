import type { Grant } from "../../../Domain/Access/Grant.ts"
import { htmlPage } from "../../../Pages/Html/HtmlPage.ts"
import {
  button,
  type Choice,
  choices,
  decision,
  type Fact,
  facts,
  form,
  type Html,
  html,
  notice,
  paragraph,
  radios
} from "../../../Pages/Html/HtmlParts.ts"
import type { Choices } from "../Consent/ConsentForm.ts"
import { redirectTarget } from "../Consent/RedirectTarget.ts"
import type { Agent } from "./Agents.ts"
import type { Reachable } from "./ReachableResources.ts"
import { reachChoice } from "./ReachChoice.ts"

export interface ListedConnection {
  readonly id: string
  readonly label: string
  readonly provider: string
  readonly account: string | null
  readonly isActive: boolean
}

export interface ConnectionGroup {
  readonly client: string | undefined
  readonly connections: ReadonlyArray<ListedConnection>
}

export interface ConsentView {
  readonly above: Html
  readonly action: string
  readonly agent: Agent
  readonly redirectUri: string
  readonly asksToWrite: boolean
  /** The service has approvals. */
  readonly mayAskFirst: boolean
  readonly mayUndo: boolean
  readonly member: { readonly id: string; readonly email: string }
  readonly groups: ReadonlyArray<ConnectionGroup>
  readonly earlierGrants: ReadonlyArray<Grant>
  readonly choices: Choices
  /** What the chosen connections reach, once the member asks for it. */
  readonly reachable: ReadonlyArray<Reachable> | undefined
  readonly mistake?: string | undefined
}

export const consentPage = (view: ConsentView) => {
  const { above, action, agent, member, mistake, redirectUri } = view
  const target = redirectTarget(redirectUri)
  return htmlPage({
    status: mistake === undefined ? 200 : 400,
    title: `${agent.name} asks to use your connected accounts`,
    above,
    wide: true,
    formTargets: [target.policySource],
    parts: [
      ...(mistake === undefined ? [] : [notice(mistake, "bad")]),
      facts(agentFacts(agent, target.name, member.email)),
      ...(target.isLocal ? [notice(localWarning(target.name))] : []),
      form(action, { member: member.id }, [
        accessChoice(view),
        ...(view.asksToWrite && view.mayAskFirst ? [writesChoice(view)] : []),
        connectionChoice(view),
        ...(view.groups.length === 0 ? [] : [reachChoice(view.choices, view.reachable)]),
        ...(view.earlierGrants.length === 0 ? [] : [earlier(view)]),
        paragraph(
          "The access lasts until you end it under Agents in the dashboard, or until the agent has not used it for 30 days.",
          "meta"
        ),
        decision([
          button({ text: "Cancel", name: "button", value: "cancel" }),
          button({ text: "Allow", name: "button", value: "allow" })
        ])
      ])
    ]
  })
}

const agentFacts = ({ clientId, host, name }: Agent, target: string, email: string): ReadonlyArray<Fact> => [
  ["Agent", host === undefined ? `${name} (the agent chose this name; it is not checked)` : name],
  host === undefined ? ["It registered itself here as", clientId, "code"] : ["Published at", host, "code"],
  ["After you decide, you go to", target, "code"],
  ["You are signed in as", email]
]

const localWarning = (name: string) =>
  `Access goes to a program on your own machine (${name}), and the service cannot check which one. ` +
  "Allow it only if you started this from a program that you trust."

const accessChoice = ({ asksToWrite, choices: { access } }: ConsentView): Html =>
  radios({ legend: "What may it do?", name: "access", checked: asksToWrite ? access : "read_only" }, [
    {
      value: "read_only",
      label: "Read only",
      hint: asksToWrite ? "It sees data of your accounts and changes nothing." : "It asks for no more than that."
    },
    ...asksToWrite
      ? [{
        value: "read_write",
        label: "Read and write",
        hint: "It also changes data, such as spreadsheets, documents and URLs submitted for indexing."
      }]
      : []
  ])

const writesChoice = ({ choices: { writes }, mayUndo }: ConsentView): Html =>
  radios({ legend: "If it may write", name: "writes", checked: writes, kind: "if-write" }, [
    {
      value: "ask",
      label: "Ask me before each change",
      hint: "Nothing is changed before you have seen it under Approvals in the dashboard and approved it."
    },
    {
      value: "allow",
      label: "Let it change data by itself",
      hint: `You see each change in the log.${mayUndo ? " Changes of cells and texts can be undone for 72 hours." : ""}`
    }
  ])

const connectionChoice = ({ choices: chosen, groups }: ConsentView): Html => {
  const count = groups.reduce((sum, { connections }) => sum + connections.length, 0)
  const which = { legend: "Which connections?", name: "which" }
  const all = {
    value: "all",
    label: "All connections, also future ones",
    hint: count === 0 ? "You see no connections yet." : "Whatever you can see at the time of a call."
  }
  if (count === 0) return radios({ ...which, checked: "all" }, [all])
  const some = { value: "chosen", label: "The connections ticked below" }
  return html`${radios({ ...which, checked: chosen.which }, [some, all])}
<div class="if-chosen">${
    count > 3
      ? html`<div class="actions small">
${button({ text: "Tick all", name: "button", value: "tick_all" })}
${button({ text: "Untick all", name: "button", value: "untick_all" })}
</div>`
      : undefined
  }
<div class="scroll short">
${groups.map((group) => choices(group.client ?? "Without a client", connectionRows(group, chosen)))}
</div></div>`
}

const connectionRows = ({ connections }: ConnectionGroup, { connectionIds }: Choices): ReadonlyArray<Choice> =>
  connections.map(({ account, id, isActive, label, provider }) => ({
    type: "checkbox",
    name: "connection",
    value: id,
    label,
    hint: [provider, ...(account === null ? [] : [account]), ...(isActive ? [] : ["Token expired"])].join(" · "),
    checked: connectionIds.has(id)
  }))

const earlier = ({ choices: { endedGrantIds }, earlierGrants }: ConsentView): Html =>
  choices(
    "End earlier access of this agent?",
    earlierGrants.map(({ access, created_at, id, last_used_at }) => ({
      type: "checkbox",
      name: "end",
      value: id,
      label: `Granted on ${day(created_at)}`,
      hint: `${access === "read_write" ? "Read and write" : "Read only"}, ${
        last_used_at === null ? "never used" : `last used on ${day(last_used_at)}`
      }`,
      checked: endedGrantIds.has(id)
    }))
  )

const day = (date: Date): string => date.toISOString().slice(0, 10)
