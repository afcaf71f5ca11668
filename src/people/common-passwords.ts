/**
 * Passwords, and stems of passwords, that are tried first. Written by us for this purpose, in lower case and without the digits
 * and signs that people put around them.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
  00000000 0123456789 0987654321 11111111 11223344 12121212 123123123 123321123 12341234 12344321
  123454321 12345678 123456789 1234567890 123456789a 12345678a 12345qwert 1234qwer 123qwe123 123qweasd
  147258369 159357456 19871987 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 20002000
  20202020 22222222 27182818 31415926 33333333 44444444 55555555 66666666 77777777 87654321 88888888
  987654321 9876543210 99999999 a1b2c3d4 aa123456 aaa abc abc12345 abcabc abcd abcd1234 abcdef abcdefg
  abcdefgh access access14 accessdenied admin adminadmin administrator alejandro alexander alexandra
  alien amanda america american anderson andrew android angel angels anthony apple arsenal asd
  asdasdasd asdf1234 asdfasdf asdfgh asdfghjk asdfghjkl ashley asshole australia autumn azerty
  azertyui azertyuiop babyboy babygirl bailey banana barcelona baseball basketball batman beatles
  benjamin berlin bitch blackberry blessed blink182 buster butterfly california canada celtic changeit
  changeme charlie cheese chelsea chicago chocolate christopher codereview coffee computer contrasena
  cookie correcthorsebatterystaple corvette counterstrike cowboy cowboys cowgirl cupcake daniel
  danielle database december default demo demodemo donald donaldduck dragon eagle einstein elizabeth
  eminem england everton example facebook february ferrari football forever fortnite freedom friday
  fuckoff fuckyou galileo gandalf garcia garfield germany ginger gladiator godisgood goodbye goodluck
  google guest guestguest harley heaven hello hellohello helloworld hernandez hockey honey hunter
  ilovegod iloveme iloveu iloveyou internet jackson january jennifer jessica jesus jesuschrist johnson
  jonathan jordan joshua juventus kawasaki killer knight lakers legolas letmein letmeinnow lightning
  linkedin linux liverpool lkjhgfdsa london lopez lovelove lovely loveyou macintosh maggie manager
  manchester manutd martinez master mastermind matrix matthew maverick melissa mercedes merlin
  metallica michael michelle mickey mickeymouse microsoft minecraft mnbvcxz monday monkey motdepasse
  mustang mypass mypassword mysecret mysql natasha network newpassword newton newyork nicholas nicole
  ninja nintendo nirvana nokia nopassword nothing november october opensesame openup operator oracle
  orange panther paris pass passme passpass passw0rd password password1 password12 password123
  password1234 passwordpassword passwort patrick peanut pepper phoenix pikachu playstation plumbline
  plumblineadmin poiuytrewq pokemon porsche postgres postgresql predator princess q1w2e3r4 q1w2e3r4t5
  qazwsx qazwsxedc qwe qwe123qwe qweasd qweasdzxc qweqweqwe qwer1234 qwerqwer qwerty qwertyui
  qwertyuiop qwertz qwertzui qwertzuiop rammstein rangers realmadrid redskins review reviewer reviews
  robert rodriguez root rootroot samantha sample samsung samurai saturday scorpio scorpion secret
  secrets security september server service services sesame shadow slipknot snoopy soccer softball
  something spiderman spring starcraft startrek starwars steelers stephanie strawberry summer sunday
  sunshine superman supersecret superuser support suzuki sweetheart sweetie system systems temporary
  terminator test tester testing testtest testuser thankyou thepassword thomas thunder thursday tiger
  tigger toor topsecret trustme trustno tuesday tweety twitter ubuntu victoria volleyball warcraft
  warrior wednesday welcome whatever william williams windows winnie winter wizard wolverine xyz
  yamaha yankees yourpassword youtube yxcvbnm zaqxsw zxc zxcvbn zxcvbnm
  `
    .trim()
    .split(/\s+/),
);
