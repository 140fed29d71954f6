// The service that e2e/service.py started, for tests in JavaScript.
import { execFileSync } from 'node:child_process'

/** Where it is; also the issuer of its tokens. */
export const url = process.env.BASE_URL

/** Whether libraries must be told to allow plain HTTP. */
export const isPlain = url.startsWith('http:')

/** How many seconds a test waits for an answer: long enough for any machine, however busy. */
export const patience = 600

/** What a client of the tests may do, unless told otherwise. */
export const scope = 'incidents:read incidents:write'

/** Makes a client that no other test has. */
export function newClient(scopes = `${scope} risks:read`) {
  const made = execFileSync(
    process.env.BAILIWICK,
    ['client', 'create', '--organization', process.env.ORGANIZATION_ID, '--name', 'e2e', '--scopes', scopes, '--json'],
    { encoding: 'utf8' },
  )
  const { client_id: id, client_secret: secret } = JSON.parse(made)
  return { id, secret }
}

/** A client with the secret of another, which looks like any other secret. */
export const withWrongSecret = ({ id }) => ({ id, secret: newClient().secret })

/** The body of a request that declares an incident. */
export const incident = JSON.stringify({ title: 'By JavaScript', description: '' })

/** Declares an incident and gives the status of the answer. */
export async function declare(accessToken) {
  const answer = await fetch(`${url}/v1/incidents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: incident,
  })
  await answer.body?.cancel()
  return answer.status
}
