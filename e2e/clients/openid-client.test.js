// openid-client
import assert from 'node:assert/strict'
import test from 'node:test'
import * as openid from 'openid-client'
import { declare, incident, isPlain, newClient, patience, scope, url, withWrongSecret } from './service.js'

const server = {
  issuer: url,
  token_endpoint: `${url}/v1/oauth/token`,
  revocation_endpoint: `${url}/v1/oauth/revoke`,
  introspection_endpoint: `${url}/v1/oauth/introspect`,
}
const methods = { basic: openid.ClientSecretBasic, post: openid.ClientSecretPost }

function configuration({ id, secret }, method = openid.ClientSecretPost) {
  const configuration = new openid.Configuration(server, id, undefined, method(secret))
  configuration.timeout = patience
  // The library's own switch for tests on loopback.
  if (isPlain) openid.allowInsecureRequests(configuration)
  return configuration
}

for (const [name, method] of Object.entries(methods)) {
  test(`openid-client: obtains a token by ${name} and calls the API`, async () => {
    const client = configuration(newClient(), method)
    const token = await openid.clientCredentialsGrant(client, { scope })
    assert.equal(token.token_type, 'bearer')
    assert.equal(token.expires_in, 900)
    assert.ok(token.expiresIn() > 600)
    assert.equal(token.scope, scope)
    const headers = new Headers({ 'content-type': 'application/json' })
    const incidents = new URL(`${url}/v1/incidents`)
    const answer = await openid.fetchProtectedResource(
      client, token.access_token, incidents, 'POST', incident, headers,
    )
    assert.equal(answer.status, 201)
  })

  test(`openid-client: refreshes by ${name}`, async () => {
    const client = configuration(newClient(), method)
    const first = await openid.clientCredentialsGrant(client, { scope })
    const second = await openid.refreshTokenGrant(client, first.refresh_token)
    assert.notEqual(second.refresh_token, first.refresh_token)
    assert.equal(await declare(second.access_token), 201)
  })
}

test('openid-client: a wrong secret is invalid_client', async () => {
  const client = configuration(withWrongSecret(newClient()))
  await assert.rejects(openid.clientCredentialsGrant(client), (error) => {
    assert.ok(error instanceof openid.ResponseBodyError)
    assert.equal(error.error, 'invalid_client')
    assert.equal(error.error_description, 'The client credentials are missing or not valid.')
    return true
  })
})

test('openid-client: a wrong secret by Basic gets the challenge that HTTP asks for', async () => {
  const client = configuration(withWrongSecret(newClient()), openid.ClientSecretBasic)
  let refused
  await assert.rejects(openid.clientCredentialsGrant(client), (error) => {
    refused = error
    return true
  })
  assert.ok(refused instanceof openid.WWWAuthenticateChallengeError)
  assert.equal((await refused.response.json()).error, 'invalid_client')
})

test('openid-client: a scope that may not be had is invalid_scope', async () => {
  const client = configuration(newClient())
  for (const wanted of ['journal:read', 'no:such', 'incidents:read journal:read']) {
    await assert.rejects(openid.clientCredentialsGrant(client, { scope: wanted }), { error: 'invalid_scope' })
  }
})

test('openid-client: a replayed refresh token ends the family', async () => {
  const client = configuration(newClient())
  const first = await openid.clientCredentialsGrant(client)
  const second = await openid.refreshTokenGrant(client, first.refresh_token)
  for (const token of [first, second]) {
    await assert.rejects(openid.refreshTokenGrant(client, token.refresh_token), { error: 'invalid_grant' })
  }
  assert.equal(await declare(second.access_token), 401)
})

for (const [name, method] of Object.entries(methods)) {
  test(`openid-client: introspects and revokes by ${name}`, async () => {
    const client = configuration(newClient(), method)
    const token = await openid.clientCredentialsGrant(client, { scope })
    const told = await openid.tokenIntrospection(client, token.access_token, { token_type_hint: 'access_token' })
    assert.equal(told.active, true)
    assert.equal(told.scope, scope)

    await openid.tokenRevocation(client, token.refresh_token, { token_type_hint: 'refresh_token' })
    assert.deepEqual(await openid.tokenIntrospection(client, token.access_token), { active: false })
    assert.equal(await declare(token.access_token), 401)
    await assert.rejects(openid.refreshTokenGrant(client, token.refresh_token), { error: 'invalid_grant' })
  })
}
