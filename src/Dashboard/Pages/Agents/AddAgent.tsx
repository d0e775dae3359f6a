import { Link } from "wouter"
import { agentClients, type AgentSetup, mcpUrl } from "../../../Api/AgentClients.ts"
import { Code } from "../../Parts/Code.tsx"
import { Page } from "../../Parts/Page.tsx"
import { Prose } from "../../Parts/Prose.tsx"
import { namedOptions, SelectField } from "../../Parts/Select.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { serviceUrl } from "../../Service/ServedPage.ts"

export const AddAgent = () => {
  const clients = agentClients(serviceUrl)
  const [id, setId] = useUrlState("agent")
  const client = clients.find((each) => each.id === id) ?? clients[0]
  return (
    <Page
      title="Add an agent"
      about="Give the agent this address. It opens a page of this service, where you choose its access."
      actions={<Link className="button" href="/agents">All agents</Link>}
    >
      <div className="stack-wide">
        <section className="stack" aria-label="Address">
          <h2>Address of the MCP endpoint</h2>
          <Code text={mcpUrl(serviceUrl)} what="the address" />
        </section>
        {client && (
          <>
            <div className="narrow">
              <SelectField
                label="Agent"
                options={namedOptions(clients)}
                value={client.id}
                onChange={setId}
              />
            </div>
            {client.note !== undefined && (
              <p className="notice attention">
                <Prose text={client.note} />
              </p>
            )}
            <Setup title="With a sign-in" setup={client.signIn} />
            <Setup title="With an API key" setup={client.key} />
            <p className="muted">
              With a key, the agent has the rights of the key. <Link href="/keys?make=key">Make a key</Link>{" "}
              only for this agent, so that you can revoke it without other effects.
            </p>
          </>
        )}
      </div>
    </Page>
  )
}

const Setup = ({ setup, title }: { readonly title: string; readonly setup: AgentSetup | null }) => (
  <section className="stack" aria-label={title}>
    <h2>{title}</h2>
    {setup === null ? <p className="muted">This agent cannot.</p> : (
      <>
        <p>
          <Prose text={setup.instruction} />
        </p>
        {setup.text !== undefined && <Code text={setup.text} what={`the text for ${title.toLowerCase()}`} />}
      </>
    )}
  </section>
)
