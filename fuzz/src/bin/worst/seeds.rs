//! The shapes that the search begins with.

use crate::genome::Genome;

/// Rules that nearly match everywhere, and the text that they nearly match.
pub fn seeds() -> impl Iterator<Item = Genome> {
    SEEDS.iter().copied().map(Genome::new)
}

const SEEDS: &[&str] = &[
    // Equal rules, and an `Allow` that decides at the end.
    "*QQa +*  a0123456789/ Q",
    "*Q~Q~Q~Q~Q~Q~Q~Q~a +*  a0123456789/ Q~",
    "*Q~Q~a *Q~aQ~ *aab  a0123456789/ Q~",
    // Different rules that share a first piece.
    "*QQa{#0:6} +*  a0123456789/ Q",
    "*QQ{#0:5}a  a0123456789/ Q",
    "*QQ*{#0:5}  a0123456789/ Q",
    "*QQa*0*0*0*0*{#0:5} +*  a0123456789/ Q",
    "*Q*Q*Q*Q*{#3:4}  a0123456789/ {#3:4}Q",
    "*Q*Q*Q*Q*Q*Q*Q*{#3:2}{#1:2}$  {#3:2}Q^300 Q",
    // Pieces that are too short to be looked up.
    "*QQa{#0:5*1} +*  a0123456789/ Q",
    "*Q~Q~Q~Q~a{#0:5*1} +*  a0123456789/ Q~",
    "+*{#3:3}  {#3:3}",
    "+*{#4:9*3}  {#4:3}",
    "+*{#3:6*2} {#3:9*3} *{#3:12*2}  {#3:2}^700 {#3:3}",
    "*{#3:4*1}Q~Q~a  abcdefghijklmnopqrstuvwxyz^2 Q~",
    "*Q{#3:32*2}  {#3:2}Q^1000 {#3:2}{Q:8}",
    // Short pieces, long ones, and runs of each length.
    "*{#3:2}z  {#3:2}",
    "+*{#4:3}  Qab{#4:3}",
    "*{Q:1000}a +*  a{Q:1000} Q",
    "*{#1:9}{#1:5}b  {#1:12}",
    "*{#1:5}a*b{#1:9}b  {#1:9}{#1:5}",
    "*abcd*efgh*ijkl*{#3:3}  abcd^100 efgh^100 ijkl^100 x",
    "*{#4:5}*{#4:6}*{#4:7}*{#4:6}*{#4:5}  {#4:5}Q^20 {#4:6}a^20 {#4:7}bc{Q:64}",
    "*QQQQQQQQ{Q:64}a*{#0:4}  QQQQQQQQ{Q:64}a",
    // Patterns of which nearly every piece is found.
    "*ab*cd*ab*cd*ab*cd*ab*cd*ab*cd*ab*cd*{#3:3}  ab{Q:64}^1 cd{Q:64}ab{Q:64}",
    "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*{#3:3}  a",
    "*{#4:1}*{#4:2}*{#4:3}*{#4:1}{#4:2}*{#4:2}*b{#4:1}*{#4:3}*{#4:2}z  Q{Q:60}a{Q:60}b{Q:60}c{#4:8}",
    // Escapes that depend on the query.
    "*%2FQ~a +*  %2FQ~ Q~?/Q~",
    "*%2F*%3D*%26*%2F*%3D*%26*{#3:3}  %2FQ=Q&Q",
    "*%2FQ~{#0:4}a  a0123456789/ Q~%2F ?/=&",
    "*%3D$$a{#3:4}  a0123456789/ =$$^200 ?^1 %3D$$",
    "*%2F{$:1000}a*{#0:3}  a0123456789/ /{$:100}^10 ?^1 /{$:1000}",
    "*{$:128}*%3D*x2*2*$%%D**%$6*{#3:3}  {$:128}F%3Dx26%6%2F%3D%26?{#3:3}^256 {$:128}%3Dx2%2%Q%26{#3:3}",
    "*%3D$*%3D$$*%3D*%3D$*%3D$$*%3D*%3D$*%3D$$*%3D*%3D$*%3D$$*%3D*{#0:3}  a0123456789/ =$$",
    "*%2F*%2F*%2F*%2F*%2F*%2F*%2F*%2F*%2F*%2F*%2F*%2F*%2F*%2F*%2F*%2F*%2F*{#0:3}  a0123456789/ %2F",
    // Bytes that are escaped, so that the compared text is three times as long.
    "*{#5:280*1}*{#0:3}  a0123456789/ $",
    "*{#5:400*2}*{#0:3}  a0123456789/ $",
    "*{#5:450*3}*{#0:3}  a0123456789/ $",
    "*{#5:600*12}*{#0:3}  a0123456789/ $",
    "*{#3:3}*{#5:200*1}b*z +*{#3:3}*{#5:280*1}*a  {#3:3}^300 $^600 a",
    "*%2F{$:1000}2F{$:1000}aF{$:1000}aF{$:1000}a{#0:3}%2F{$:1000}aQaa  {$:1000}",
    "*{$:1000}{$:1000}{#0:3}  {$:1000}",
    // Pieces of one byte and of three, of 27 in compared form, and walks that fail at each place.
    "*{#1:18*1}*a*b*a*b*a*b*a*b*a*b*a*b*a*b*a*b*z  zab ab",
    "*{#5:18*1}*$*\"*$*\"*$*\"*$*\"*$*\"*$*\"*z  z$\" $\"",
    "*{#1:10*1}*$$$$$$$$$*$$$$$$$$$$*$$$$$$$$$*$$$$$$$$$$$*$$$$$$$$$$*z  zab^20 $",
    "*$$$$$$$$${#1:8*1}*$$$$$$$$$*$$$$$$$$$$$*z  zab^20 $",
    "/*$$$$$$$$$$b{#1:18*1}*a*b*a*b  ab^20 $",
    "*{#1:18*1}*$$$$$$*$$$$$$$*$$$$$$*$$$$$$$*$$$$$$*z  zab^20 $",
    "*{#5:18*1}*$$$*$$$$*$$$*$$$$*$$$*$$$$*$$$*$$$$*z  z$\"^20 $",
    // Google's dialect makes two patterns of this rule.
    "+/*{#1:18*1}*a*b*a*b*a*b*a*b*a*b*a*b*a*b*z/index.html  z/index.html ab",
    // Literal prefixes, by which rules are looked up: many, nested, and equal in more bytes than
    // are sorted at once.
    "/{#3:3} /{#3:4}*b  {#3:4}/",
    "/{Q:500}{#3:2} /{Q:500}*a  Q",
    "/*{#1:9}{#1:5}  {#1:9}",
    "/Q*{#3:4}z /QQ*{#3:4}z /QQQ*{#3:4}z  QQQQ{#3:4}z",
    "/{#0:4} /{#0:4}*a  a0123456789/",
    "/QQQQQQQQQQQQQQQQ{#3:3}  QQQQQQQQQQQQQQQQ{#3:3}",
    "/{Q:250}{#3:2}*a  Q",
    // Found by hours of search.
    "*%3D$${#3:4}a  =0$$$^200 =$$^64 ?;b^8 %3D$$",
    "*{$:64}%3D%$a{#3:4}a0135681345689/?/?$$FF?*?*  $$^200 {$:64}%3D%{$:64}%3D%a{#3:4}a01234689/?/?",
    "*%2F{$:1000}F{#0:3}F{#0:3}F{$:1000}F{#0:3}%3Dx22%{F:4}D%62{#3:3}  ?^1024 /{$:1000}",
    // Agents and comments.
    "{#3:6} {#3:8}  {#3:6}a",
];
