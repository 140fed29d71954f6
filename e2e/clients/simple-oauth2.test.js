// simple-oauth2
import assert from 'node:assert/strict'
import test from 'node:test'
import { ClientCredentials } from 'simple-oauth2'
import { declare, newClient, scope, url, withWrongSecret } from './service.js'

// Every way in which the library can be told to talk.
const ways = []
for (const bodyFormat of ['form', 'json']) {
  ways.push({ authorizationMethod: 'body', bodyFormat })
  for (const credentialsEncodingMode of ['strict', 'loose']) {
    ways.push({ authorizationMethod: 'header', bodyFormat, credentialsEncodingMode })
  }
}

function oauth(client, options = {}) {
  const auth = { tokenHost: url, tokenPath: '/v1/oauth/token', revokePath: '/v1/oauth/revoke' }
  return new ClientCredentials({ client, auth, options })
}

/** Checks the library's own error: an HTTP error whose payload is the answer's body. */
const refusal = (status, error) => (thrown) => {
  assert.equal(thrown.output.statusCode, status)
  assert.equal(thrown.data.payload.error, error)
  return true
}

for (const way of ways) {
  const name = Object.values(way).join(', ')

  test(`simple-oauth2 (${name}): obtains, calls the API and refreshes`, async () => {
    const client = oauth(newClient(), way)
    const first = await client.getToken({ scope: scope.split(' ') })
    assert.equal(first.expired(), false)
    assert.equal(first.expired(901), true)
    assert.equal(first.token.scope, scope)
    assert.equal(await declare(first.token.access_token), 201)

    const second = await first.refresh()
    assert.notEqual(second.token.refresh_token, first.token.refresh_token)
    assert.equal(await declare(second.token.access_token), 201)
  })

  test(`simple-oauth2 (${name}): a wrong secret is invalid_client`, async () => {
    await assert.rejects(oauth(withWrongSecret(newClient()), way).getToken(), refusal(401, 'invalid_client'))
  })
}

test('simple-oauth2: a scope that may not be had is invalid_scope', async () => {
  const client = oauth(newClient())
  for (const wanted of ['journal:read', 'no:such', ['incidents:read', 'journal:read']]) {
    await assert.rejects(client.getToken({ scope: wanted }), refusal(400, 'invalid_scope'))
  }
})

test('simple-oauth2: a replayed refresh token ends the family', async () => {
  const first = await oauth(newClient()).getToken()
  const second = await first.refresh()
  await assert.rejects(first.refresh(), refusal(400, 'invalid_grant'))
  await assert.rejects(second.refresh(), refusal(400, 'invalid_grant'))
  assert.equal(await declare(second.token.access_token), 401)
})

for (const way of ways) {
  test(`simple-oauth2 (${Object.values(way).join(', ')}): revokes`, async () => {
    const token = await oauth(newClient(), way).getToken()
    await token.revoke('access_token')
    assert.equal(await declare(token.token.access_token), 401)
    const next = await token.refresh()
    assert.equal(await declare(next.token.access_token), 201)
    await next.revokeAll()
    await assert.rejects(next.refresh(), refusal(400, 'invalid_grant'))
    assert.equal(await declare(next.token.access_token), 401)
  })
}
