//! Who may ask: pages of this server only.
//!
//! A page of another site that a person has open can send requests to this machine, and one whose name is made to point here
//! can even read the answers. So the `Host` has to be this server's, and whatever changes something, or opens a connection
//! that can, has to come from a page of this server by its `Origin`. Beyond this machine a token is asked for too.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use axum::http::header::{COOKIE, HOST, ORIGIN, UPGRADE};
use axum::http::{HeaderMap, Method, Uri};

/// What a browser is told with every answer.
pub const HEADERS: [(&str, &str); 6] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-store"),
];

/// Where the server listens, and what it asks for.
pub struct Access {
    address: SocketAddr,
    token: Option<String>,
}

/// What becomes of a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is answered.
    Allowed,
    /// It has brought the token: the browser keeps it, and is sent to the page without it in the address.
    Admitted {
        /// What the browser keeps.
        cookie: String,
    },
    /// It is refused.
    Refused(&'static str),
}

impl Access {
    /// Beyond this machine a new token is made.
    pub fn new(address: SocketAddr) -> Access {
        let token =
            (!address.ip().is_loopback()).then(|| format!("{:032x}", rand::random::<u128>()));
        Access { address, token }
    }

    /// The address for a browser on this machine.
    pub fn link(&self) -> String {
        let is_everywhere = self.address.ip().is_unspecified();
        self.link_to(if is_everywhere { self.loopback() } else { self.address.ip() })
    }

    /// The address for other machines of the network, where it differs: that by which this machine reaches others.
    pub fn link_from_outside(&self) -> Option<String> {
        if !self.address.ip().is_unspecified() {
            return None;
        }
        // Addresses for examples, which are nobody's. Nothing is sent: the system only says where it would send from.
        let any: IpAddr = match self.address {
            SocketAddr::V4(_) => [192, 0, 2, 1].into(),
            SocketAddr::V6(_) => [0x2001, 0xdb8, 0, 0, 0, 0, 0, 1].into(),
        };
        let socket = UdpSocket::bind((self.address.ip(), 0)).ok()?;
        socket.connect((any, 9)).ok()?;
        let own = socket.local_addr().ok()?.ip();
        (!own.is_loopback() && !own.is_unspecified()).then(|| self.link_to(own))
    }

    fn loopback(&self) -> IpAddr {
        match self.address {
            SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        }
    }

    fn link_to(&self, ip: IpAddr) -> String {
        let address = SocketAddr::new(ip, self.address.port());
        match &self.token {
            Some(token) => format!("http://{address}/?token={token}"),
            None => format!("http://{address}/"),
        }
    }

    /// Whether a request may be answered.
    pub fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Verdict {
        let mut hosts = headers.get_all(HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return Verdict::Refused("one Host is expected");
        };
        let Ok(host) = host.to_str() else { return Verdict::Refused("the Host cannot be read") };
        if !self.is_own(host) {
            return Verdict::Refused("this server has another name");
        }
        let origin = headers.get(ORIGIN);
        let is_own_page = |origin: &axum::http::HeaderValue| {
            let origin = origin.to_str().unwrap_or_default();
            origin.strip_prefix("http://").is_some_and(|of| of.eq_ignore_ascii_case(host))
        };
        let changes = method != Method::GET && method != Method::HEAD;
        match origin {
            Some(origin) if !is_own_page(origin) => {
                return Verdict::Refused("this is asked by a page of another site");
            }
            None if changes || headers.contains_key(UPGRADE) => {
                return Verdict::Refused("this is asked by no page of this server");
            }
            _ => {}
        }
        let Some(token) = &self.token else { return Verdict::Allowed };
        let name = self.cookie_name();
        let cookies = headers.get_all(COOKIE).iter().filter_map(|cookie| cookie.to_str().ok());
        let mut cookies = cookies.flat_map(|cookies| cookies.split(';')).map(str::trim);
        if cookies
            .any(|cookie| cookie.split_once('=').is_some_and(|(n, v)| n == name && same(v, token)))
        {
            return Verdict::Allowed;
        }
        let given = uri.query().and_then(|query| query.strip_prefix("token="));
        match given {
            Some(given) if uri.path() == "/" && same(given, token) => Verdict::Admitted {
                cookie: format!("{name}={token}; HttpOnly; SameSite=Strict; Path=/"),
            },
            _ => {
                Verdict::Refused("the token is missing: open the link that the program has printed")
            }
        }
    }

    /// Cookies do not tell ports apart.
    fn cookie_name(&self) -> String {
        format!("tesuji-{}", self.address.port())
    }

    /// Whether a `Host` is this server. Beyond this machine it may be called anything: there the token keeps others out.
    fn is_own(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        if port != Some(self.address.port()) {
            return false;
        }
        let is_here =
            ["127.0.0.1", "localhost", "[::1]"].iter().any(|n| name.eq_ignore_ascii_case(n))
                || name == self.address.ip().to_string();
        is_here || self.token.is_some()
    }
}

/// Compares secrets in a time that does not tell how much of them is right.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(access: &Access, method: &str, uri: &str, headers: &[(&str, &str)]) -> Verdict {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name.parse::<axum::http::HeaderName>().unwrap(), value.parse().unwrap());
        }
        access.check(&method.parse().unwrap(), &uri.parse().unwrap(), &map)
    }

    fn is_refused(verdict: &Verdict) -> bool {
        matches!(verdict, Verdict::Refused(_))
    }

    #[test]
    fn only_pages_of_this_server_are_answered() {
        let access = Access::new("127.0.0.1:8080".parse().unwrap());
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080"] {
            assert_eq!(check(&access, "GET", "/", &[("host", host)]), Verdict::Allowed, "{host}");
        }
        for host in [
            "evil.example:8080",
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost:8080.evil.example",
            "",
            "[::1]",
        ] {
            assert!(is_refused(&check(&access, "GET", "/", &[("host", host)])), "{host}");
        }
        assert!(is_refused(&check(&access, "GET", "/", &[])));
        let host = ("host", "localhost:8080");
        assert!(is_refused(&check(&access, "GET", "/", &[host, host])));
        let own = ("origin", "http://localhost:8080");
        assert_eq!(check(&access, "POST", "/games", &[host, own]), Verdict::Allowed);
        assert_eq!(
            check(&access, "GET", "/live", &[host, own, ("upgrade", "websocket")]),
            Verdict::Allowed
        );
        for origin in [
            "http://evil.example",
            "null",
            "https://localhost:8080",
            "http://localhost:8081",
            "http://127.0.0.1:8080",
        ] {
            assert!(
                is_refused(&check(&access, "POST", "/games", &[host, ("origin", origin)])),
                "{origin}"
            );
            assert!(
                is_refused(&check(&access, "GET", "/", &[host, ("origin", origin)])),
                "{origin}"
            );
        }
        assert!(is_refused(&check(&access, "POST", "/games", &[host])));
        assert!(is_refused(&check(&access, "GET", "/live", &[host, ("upgrade", "websocket")])));
    }

    #[test]
    fn beyond_this_machine_a_token_is_asked_for() {
        let access = Access::new("192.168.1.5:8080".parse().unwrap());
        let host = ("host", "192.168.1.5:8080");
        assert!(is_refused(&check(&access, "GET", "/", &[host])));
        assert!(is_refused(&check(&access, "GET", "/?token=0", &[host])));
        let link = access.link();
        let query = link.split_once("8080").unwrap().1;
        let Verdict::Admitted { cookie } = check(&access, "GET", query, &[host]) else {
            panic!("{link}")
        };
        let kept = cookie.split(';').next().unwrap();
        assert_eq!(
            check(&access, "GET", "/", &[host, ("cookie", &format!("a=b; {kept}"))]),
            Verdict::Allowed
        );
        assert!(is_refused(&check(&access, "GET", "/", &[host, ("cookie", "tesuji-8080=0")])));
        let elsewhere = ("origin", "http://evil.example");
        assert!(is_refused(&check(&access, "GET", "/", &[host, elsewhere, ("cookie", kept)])));
    }

    #[test]
    fn who_listens_everywhere_has_a_link_for_others() {
        let access = Access::new("0.0.0.0:8080".parse().unwrap());
        assert!(access.link().starts_with("http://127.0.0.1:8080/?token="));
        // A machine without a network has none.
        if let Some(link) = access.link_from_outside() {
            assert!(!link.contains("127.0.0.1") && !link.contains("0.0.0.0"), "{link}");
            let query = link.split_once("8080").unwrap().1;
            let host = link.trim_start_matches("http://").split('/').next().unwrap();
            let verdict = check(&access, "GET", query, &[("host", host)]);
            assert!(matches!(verdict, Verdict::Admitted { .. }), "{link}");
        }
        for address in ["127.0.0.1:8080", "192.168.1.5:8080"] {
            assert_eq!(Access::new(address.parse().unwrap()).link_from_outside(), None);
        }
    }
}
